//! Parts of a partition where constants of its class are expected.
//!
//! A partition is a sort of its own: its values are its parts. Files also name a part
//! where the class itself is expected, `<a, low + high>` in a place of `A x B`, and mean
//! the constants in it: a part that stands in the place of the class is the multiset of
//! its constants, each once. This module *widens* a term from the partition to the class.
//!
//! Why that is right wherever it happens: parts are disjoint, so sums, differences that
//! stop at zero, multiples and products of widened multisets are the widened results. The
//! term may be built first and widened when its place says which sort is meant.
//!
//! A term with a variable (of the partition's sort, or below `partitionelementof`) is not
//! widened: it says that parts are meant. Neither is the side of a comparison: `x = low`
//! could mean "is in". Both stay errors.
//!
//! Cost: the constants of the parts that are named.

use rustc_hash::FxHashMap;
use std::sync::Arc;

use brine_coloured::sorts::SimpleId;
use brine_coloured::terms::{Bag, BagOp, Component};

/// The class of a partition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PartitionClass {
    /// Its sort.
    pub(super) sort: SimpleId,
    /// The values in each part, ascending; none is empty.
    pub(super) members: Vec<Arc<[u32]>>,
}

/// The classes of all partitions, by the sort of their parts.
pub(super) type Classes = FxHashMap<SimpleId, PartitionClass>;

/// The sort that two terms have in common: the same one, or where they differ the class
/// that one is a partition of, or both are.
pub(super) fn common(classes: &Classes, a: &[SimpleId], b: &[SimpleId]) -> Option<Vec<SimpleId>> {
    let class = |sort: SimpleId| classes.get(&sort).map(|class| class.sort);
    let of_both = |(&a, &b): (&SimpleId, &SimpleId)| match (class(a), class(b)) {
        _ if a == b => Some(a),
        (Some(whole), _) if whole == b => Some(b),
        (_, Some(whole)) if whole == a => Some(a),
        (Some(one), Some(other)) if one == other => Some(one),
        _ => None,
    };
    if a.len() != b.len() {
        return None;
    }
    a.iter().zip(b).map(of_both).collect()
}

/// Makes a term one of the sort `wanted`; false, and the term half changed, if it is none.
pub(super) fn widen(classes: &Classes, bag: &mut Bag, wanted: &[SimpleId]) -> bool {
    if bag.sort.len() != wanted.len() {
        return false;
    }
    for (i, (&found, &wanted)) in bag.sort.iter().zip(wanted).enumerate() {
        if found == wanted {
            continue;
        }
        let Some(class) = classes.get(&found).filter(|class| class.sort == wanted) else {
            return false;
        };
        for op in &mut bag.ops {
            let BagOp::Push { offset, colour, .. } = op else { continue };
            let component = i.checked_sub(*offset).and_then(|i| colour.get_mut(i));
            if let Some(component) = component
                && !class.widen(component)
            {
                return false;
            }
        }
    }
    bag.sort = wanted.to_vec();
    true
}

impl PartitionClass {
    /// Puts the constants of a part, or of several, in the place of the part.
    fn widen(&self, component: &mut Component) -> bool {
        *component = match component {
            Component::Variable { .. } => return false,
            Component::Value(part) => each(&self.members[*part as usize]),
            Component::Each(parts) => {
                let members = parts.iter().flat_map(|&p| self.members[p as usize].iter());
                let mut members: Vec<u32> = members.copied().collect();
                members.sort_unstable();
                each(&members.into())
            }
        };
        true
    }
}

/// Each of these values once.
fn each(values: &Arc<[u32]>) -> Component {
    match **values {
        [one] => Component::Value(one),
        _ => Component::Each(values.clone()),
    }
}
