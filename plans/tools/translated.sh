# For the scripts beside this: translated LANGUAGE MODEL FORMULA, in a folder of its own.
#
# XTASK is the program of the workspace's tasks; by default the one that was built last.
here=$(cd "$(dirname "$0")" && pwd)
xtask=${XTASK:-$(ls -t "$here"/../../target/{xtask,release,fast,debug}/xtask 2>/dev/null | head -1)}
[ -x "$xtask" ] || { echo "no xtask: cargo build --profile xtask -p xtask" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Writes the model to the file $work/model; what cannot be translated is no verdict.
translated() {
    "$xtask" translate --to "$1" "$2" "$3" > "$work/model" || { echo "VERDICT unknown"; exit 0; }
}

# The formula, of languages whose models have no place for it.
asked() {
    sed -n '1s|^// asked: ||p' "$work/model"
}
