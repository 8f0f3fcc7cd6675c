'use strict';
// A track is what one can step through: the steps of a run, or those that somebody plays.
// Position i is the marking before step i, counted from 0. A track that repeats goes on from its
// last position to the one behind `home`; `round` counts how often.

/** The number of tokens of each place, or the value of each variable, at the start. */
function initialMarking(subject) {
  return subject.net ? subject.net.places.map(p => p.tokens) : subject.variables.map(v => v.value);
}

/** The marking at a position; a cycle that adds tokens adds them in each round. */
function markingAt(track, subject, position, round) {
  const marking = initialMarking(subject);
  let home = null;
  track.steps.forEach((step, i) => {
    if (i === track.home) home = marking.slice();
    if (i < position || round > 0) {
      for (const [place, , after] of step.changes) marking[place] = after;
    }
  });
  if (round === 0 || !subject.net || track.end !== 'repeats' || home === null) return marking;
  // `marking` is now that at the end of the cycle.
  const gain = marking.map((n, place) => n - home[place]);
  const later = home.map((n, place) => n + round * gain[place]);
  for (const step of track.steps.slice(track.home, position)) {
    for (const [place, before, after] of step.changes) later[place] += after - before;
  }
  return later;
}

/** The places that lack tokens for a transition: [place, tokens there, tokens needed]. */
function missing(net, marking, transition) {
  return net.transitions[transition].takes
    .filter(([place, tokens]) => marking[place] < tokens)
    .map(([place, tokens]) => [place, marking[place], tokens]);
}

/** The step of firing an enabled transition. */
function fire(net, marking, transition) {
  const { takes, puts, label } = net.transitions[transition];
  const after = new Map();
  for (const [place, tokens] of takes) after.set(place, marking[place] - tokens);
  for (const [place, tokens] of puts) {
    after.set(place, (after.has(place) ? after.get(place) : marking[place]) + tokens);
  }
  const changes = [...after].filter(([p, n]) => n !== marking[p]).map(([p, n]) => [p, marking[p], n]);
  const put = new Map(puts);
  const needs = takes.filter(([p]) => put.has(p)).map(([p, n]) => [p, Math.min(n, put.get(p))]);
  return { transition, label, changes, needs };
}

/** One line of a file of runs as a track; throws with a message for people. */
function trackOfLine(line, net) {
  const run = JSON.parse(line);
  if (!Array.isArray(run.prefix) || !Array.isArray(run.cycle)) {
    throw new Error('expected a line with "prefix" and "cycle", as brine check --witness writes');
  }
  const numbers = new Map(net.transitions.map((t, i) => [t.id, i]));
  const ids = [...run.prefix, ...run.cycle];
  const marking = net.places.map(p => p.tokens);
  let home = marking.slice();
  const steps = ids.map((id, i) => {
    const t = numbers.get(id);
    if (t === undefined) throw new Error(`step ${i + 1}: this net has no transition "${id}"`);
    const lacking = missing(net, marking, t)[0];
    if (lacking) {
      const [place, has, needed] = lacking;
      throw new Error(`step ${i + 1}: ${id} is not enabled: ${net.places[place].label} has ${has} of ${needed} tokens`);
    }
    const step = fire(net, marking, t);
    for (const [place, , after] of step.changes) marking[place] = after;
    if (i + 1 === run.prefix.length) home = marking.slice();
    return step;
  });
  if (run.cycle.length > 0 && marking.some((n, place) => n < home[place])) {
    throw new Error('the cycle does not lead back to where it began');
  }
  const stillEnabled = net.transitions.findIndex((_, t) => missing(net, marking, t).length === 0);
  if (run.cycle.length === 0 && stillEnabled >= 0 && run.violated_after == null) {
    throw new Error(`the run ends, but ${net.transitions[stillEnabled].label} is enabled`);
  }
  const violated = Number.isInteger(run.violated_after) ? run.violated_after : null;
  const shown = violated === null ? steps : steps.slice(0, violated);
  const truth = (run.truth || []).map(row => ({ text: String(row.formula), values: String(row.values) }));
  const end = violated !== null ? 'violated' : run.cycle.length > 0 ? 'repeats' : 'dead';
  return { name: String(run.property || 'a run'), steps: shown, home: run.prefix.length, end, truth };
}
