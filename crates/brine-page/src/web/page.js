// The page: what is chosen, where one is in it, and what buttons and keys do.

const byId = id => document.getElementById(id);
const { page, spots, dots } = JSON.parse(byId('data').textContent);
const wholeNet = page.subjects.findIndex(subject => subject.net && subject.net.is_whole);
const views = new Map();
const PAUSE = 900;
/** At smaller scales names cannot be read. */
const READABLE = 0.62;

/** What can be chosen: the properties, the token game, runs that were loaded. */
const entries = page.answers.map(answer => ({
  name: answer.property,
  words: answer.words,
  subject: answer.run === null ? 0 : page.runs[answer.run].subject,
  track: answer.run === null ? emptyTrack() : page.runs[answer.run],
}));
if (wholeNet >= 0) {
  entries.push({ name: 'Token game', words: 'Click a green transition to fire it.', subject: wholeNet, track: emptyTrack() });
}
const game = wholeNet >= 0 ? entries.length - 1 : -1;
const state = { entry: 0, position: 0, round: 0, timer: 0, chosen: null };
let timeline = null;

function emptyTrack() {
  return { steps: [], home: 0, end: 'open', truth: [] };
}

const entry = () => entries[state.entry];
const track = () => entry().track;
const subject = () => page.subjects[entry().subject];
const marking = () => markingAt(track(), subject(), state.position, state.round);
const repeats = () => track().end === 'repeats';
const isGame = () => track().end === 'open' && subject().net && subject().net.is_whole;

function view() {
  const number = entry().subject;
  if (!subject().net) return null;
  if (!views.has(number)) {
    const box = document.querySelector(`.drawing[data-subject="${number}"]`);
    const made = makeView(box, subject(), spots[number], dots);
    listenToPointers(made);
    made.nodes.transition.forEach((g, t) => {
      g.addEventListener('click', () => fireByHand(t));
      g.addEventListener('keydown', event => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        fireByHand(t);
      });
    });
    views.set(number, made);
  }
  return views.get(number);
}

/** Changes to another property, the game or a loaded run. */
function choose(number, position) {
  stopPlaying();
  if (view()) stopMoving(view());
  Object.assign(state, { entry: number, position: 0, round: 0, chosen: null });
  byId('chooser').value = number;
  byId('words').textContent = entry().words;
  for (const box of document.querySelectorAll('.drawing')) {
    box.hidden = +box.dataset.subject !== entry().subject;
  }
  byId('table').hidden = Boolean(subject().net);
  byId('tools').hidden = !subject().net;
  const drawn = view();
  byId('note').textContent = drawn ? drawn.box.dataset.note : '';
  rebuild();
  if (drawn) begin(drawn);
  go(Math.min(position || 0, track().steps.length));
}

/** The whole net, or, if it is too large to be read, what the first step is about. */
function begin(drawn) {
  fit(drawn);
  if (fitScale(drawn) >= READABLE) return;
  drawn.scale = 0.9;
  const first = track().steps.find(step => step.transition !== null && drawn.spots.transitions[step.transition]);
  const marked = drawn.subject.net.places.findIndex((p, i) => p.tokens > 0 && drawn.spots.places[i]);
  const spot = first ? drawn.spots.transitions[first.transition] : drawn.spots.places[Math.max(marked, 0)];
  if (spot) centreInNet(drawn, spot[0], spot[1]);
}

/** Builds what depends on the track: list of steps and timeline. */
function rebuild() {
  timeline = buildTimeline(byId('timeline'), track(), position => {
    stopPlaying();
    go(position);
  });
  byId('timeline').hidden = track().end === 'open' && track().steps.length === 0;
  buildList();
}

/** Goes to a position. */
function go(position, round = 0, step = null) {
  const drawn = view();
  if (drawn) stopMoving(drawn);
  state.position = position;
  state.round = round;
  if (step !== null && step.transition !== null && drawn && canMove(drawn, step)) {
    const between = marking();
    for (const [place, before, after] of step.changes) between[place] = Math.min(before, after) + between[place] - after;
    show(drawn, false);
    moveTokens(drawn, step.transition, between, () => showTokens(drawn, marking()));
  } else {
    show(drawn, true);
  }
}

function canMove(drawn, step) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return !calm && !document.hidden && Boolean(drawn.nodes.transition[step.transition]);
}

/** Shows the position; tokens that move are shown by who moves them. */
function show(drawn, withTokens) {
  const { steps } = track();
  const last = state.position > 0 ? steps[state.position - 1] : null;
  const next = steps[state.position] || (repeats() ? steps[track().home] : null);
  const now = marking();
  if (drawn) {
    if (withTokens) showTokens(drawn, now);
    const { net } = subject();
    const enabled = new Set();
    if (net.is_whole) net.transitions.forEach((_, t) => missing(net, now, t).length === 0 && enabled.add(t));
    markTransitions(drawn, last ? last.transition : null, next ? next.transition : null, enabled);
    const about = last || next;
    if (about && about.transition !== null) follow(drawn, about.transition);
    if (isGame()) listEnabled(enabled);
  } else {
    showTable(now, last);
  }
  moveTimeline(timeline, track(), state.position);
  markList();
  byId('now').textContent = describe(last);
  const count = steps.length;
  byId('where').textContent = `${state.position} / ${count}${state.round > 0 ? `, round ${state.round + 1}` : ''}`;
  byId('first').disabled = byId('back').disabled = state.position === 0;
  byId('forward').disabled = byId('play').disabled = state.position === count && !repeats();
  byId('last').disabled = state.position === count;
  listFound();
  const hash = `#run=${state.entry + 1}&step=${state.position}`;
  if (location.hash !== hash && location.protocol !== 'about:') history.replaceState(null, '', hash);
}

/** What the last step did, and what is to say about where it led. */
function describe(last) {
  const { steps, home, end } = track();
  const at = state.position;
  const parts = [last ? `Step ${at} of ${steps.length}: ${last.label} ${effect(last)}.` : 'The start.'];
  if (repeats() && at === home && state.round === 0) parts.push('What follows repeats for ever.');
  if (at === steps.length && end === 'repeats') parts.push(`From here the run goes on with step ${home + 1}, for ever.`);
  if (at === steps.length && end === 'dead') parts.push('Nothing is enabled: the run ends in this marking.');
  if (at === steps.length && end === 'violated') parts.push('The property is violated now, whatever follows.');
  if (at === steps.length && end === 'shown') parts.push('The run has done what was asked for, whatever follows.');
  return parts.join(' ');
}

function effect(step) {
  const now = subject();
  if (!now.net) {
    return step.changes.map(([v, before, after]) => `${now.variables[v].label}: ${before} \u2192 ${after}`).join(', ') || 'changes nothing';
  }
  const tokens = (place, count) => `${count > 1 ? `${count} \u00d7 ` : ''}${now.net.places[place].label}`;
  const list = (word, all) => (all.length > 0 ? [`${word} ${all.join(', ')}`] : []);
  const takes = step.changes.filter(c => c[2] < c[1]).map(([p, before, after]) => tokens(p, before - after));
  const puts = step.changes.filter(c => c[2] > c[1]).map(([p, before, after]) => tokens(p, after - before));
  const needs = step.needs.map(([p, count]) => tokens(p, count));
  return [...list('takes', takes), ...list('puts', puts), ...list('needs', needs)].join('; ') || 'changes nothing';
}

/** The variables of a model that is no net. */
function showTable(now, last) {
  const changed = new Set(last ? last.changes.map(c => c[0]) : []);
  const table = make('table');
  subject().variables.forEach((variable, i) => {
    const row = table.insertRow();
    row.className = changed.has(i) ? 'changed' : '';
    row.append(make('th', { textContent: variable.label, scope: 'row' }), make('td', { textContent: now[i] }));
  });
  byId('table').replaceChildren(table);
}

// The list of steps, or of what can be fired.

function buildList() {
  const list = make('ol');
  const item = (position, words) => {
    const button = make('button', { type: 'button', textContent: words });
    button.addEventListener('click', () => {
      stopPlaying();
      go(position);
    });
    const line = make('li');
    line.append(button);
    list.append(line);
    return line;
  };
  item(0, 'start');
  track().steps.forEach((step, i) => {
    const line = item(i + 1, `${i + 1}  ${step.label}`);
    line.classList.toggle('in-loop', repeats() && i >= track().home);
  });
  const endings = {
    repeats: `\u21ba again from step ${track().home + 1}, for ever`,
    dead: 'dead: nothing is enabled',
    violated: 'violated, whatever follows',
    shown: 'shown, whatever follows',
  };
  if (endings[track().end]) list.append(make('li', { className: `ending ${track().end}`, textContent: endings[track().end] }));
  byId('list').replaceChildren(list);
  if (isGame()) byId('list').append(make('h2', { textContent: 'Enabled' }), make('ul', { id: 'enabled' }));
}

function markList() {
  const box = byId('list');
  box.querySelectorAll('ol li').forEach((line, i) => {
    const here = i === state.position;
    line.classList.toggle('current', here);
    if (here) {
      line.firstChild.setAttribute('aria-current', 'step');
      box.parentElement.scrollTop = line.offsetTop - box.parentElement.clientHeight / 2;
    } else if (line.firstChild.removeAttribute) {
      line.firstChild.removeAttribute('aria-current');
    }
  });
}

/** Buttons for enabled transitions: some may not be drawn. */
function listEnabled(enabled) {
  const buttons = [...enabled].slice(0, 200).map(t => {
    const button = make('button', { type: 'button', textContent: subject().net.transitions[t].label });
    button.addEventListener('click', () => fireByHand(t));
    const line = make('li');
    line.append(button);
    return line;
  });
  if (enabled.size === 0) buttons.push(make('li', { textContent: 'nothing: this marking is dead' }));
  if (enabled.size > 200) buttons.push(make('li', { textContent: `and ${enabled.size - 200} more` }));
  byId('enabled').replaceChildren(...buttons);
}

// The token game.

/** Fires a transition, if it is enabled; a run is left for the game at this position. */
function fireByHand(transition) {
  const { net } = subject();
  if (!net.is_whole) return;
  stopPlaying();
  const now = marking();
  if (missing(net, now, transition).length > 0) return;
  const step = fire(net, now, transition);
  if (!isGame()) {
    const { steps, home } = track();
    const rounds = Array.from({ length: state.round }, () => steps.slice(home)).flat();
    const before = state.round > 0 ? [...steps.slice(0, home), ...rounds, ...steps.slice(home, state.position)] : steps.slice(0, state.position);
    const played = replayed(net, before);
    choose(game);
    entries[game].track = { ...emptyTrack(), steps: played };
    state.position = played.length;
  }
  const { steps } = track();
  steps.splice(state.position, steps.length, step);
  rebuild();
  go(steps.length, 0, step);
}

/** The same steps with the tokens that they find. */
function replayed(net, steps) {
  const now = net.places.map(p => p.tokens);
  return steps.map(({ transition }) => {
    const step = fire(net, now, transition);
    for (const [place, , after] of step.changes) now[place] = after;
    return step;
  });
}

function loadRuns(text) {
  const { net } = page.subjects[wholeNet];
  const first = entries.length;
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    try {
      const { name, ...loaded } = trackOfLine(line, net);
      entries.push({ name, words: `Loaded: a run of ${loaded.steps.length} steps.`, subject: wholeNet, track: loaded });
    } catch (error) {
      entries.push({ name: `line ${i + 1}: not a run`, words: `Line ${i + 1} of the file is not a run of this net: ${error.message}.`, subject: wholeNet, track: emptyTrack() });
    }
  });
  fillChooser();
  if (entries.length > first) choose(first);
}

// Controls.

function forward() {
  const { steps, home } = track();
  if (state.position < steps.length) go(state.position + 1, state.round, steps[state.position]);
  else if (repeats()) go(home + 1, state.round + 1, steps[home]);
  else stopPlaying();
}

function back() {
  if (state.round > 0 && state.position === track().home + 1) go(track().steps.length, state.round - 1);
  else if (state.position > 0) go(state.position - 1, state.round);
}

function togglePlaying() {
  if (state.timer) return stopPlaying();
  if (byId('play').disabled) return undefined;
  byId('play').textContent = '\u275a\u275a Pause';
  state.timer = setInterval(forward, PAUSE);
  return forward();
}

function stopPlaying() {
  clearInterval(state.timer);
  state.timer = 0;
  byId('play').textContent = '\u25b6 Play';
}

function fillChooser() {
  byId('chooser').replaceChildren(...entries.map((e, i) => make('option', { value: i, textContent: e.name })));
  byId('chooser').value = state.entry;
  byId('chooser-box').hidden = entries.length < 2;
}

/** Places and transitions whose name contains what was typed. */
function listFound() {
  const wanted = byId('search').value.trim().toLowerCase();
  const found = byId('found');
  found.hidden = wanted === '' || !subject().net;
  if (found.hidden) return;
  const { net } = subject();
  const now = marking();
  const lines = [];
  for (const kind of ['place', 'transition']) {
    (kind === 'place' ? net.places : net.transitions).forEach((node, i) => {
      if (lines.length >= 50 || !`${node.label} ${node.id}`.toLowerCase().includes(wanted)) return;
      const drawn = Boolean(view().nodes[kind][i]);
      const tokens = kind === 'place' ? `: ${now[i]}` : '';
      const button = make('button', { type: 'button', textContent: `${kind} ${node.label}${tokens}${drawn ? '' : ' (not drawn)'}` });
      button.addEventListener('click', () => point(kind, i));
      const line = make('li');
      line.append(button);
      lines.push(line);
    });
  }
  if (lines.length === 0) lines.push(make('li', { textContent: 'nothing is called so' }));
  found.replaceChildren(...lines);
}

/** Points at a node. */
function point(kind, number) {
  const drawn = view();
  for (const g of drawn.svg.querySelectorAll('.chosen')) g.classList.remove('chosen');
  const spot = drawn.spots[`${kind}s`][number];
  if (!spot) return;
  drawn.nodes[kind][number].classList.add('chosen');
  drawn.scale = Math.max(drawn.scale, 0.9);
  centre(drawn, spot[0], spot[1]);
}

const KEYS = {
  ArrowRight: () => { stopPlaying(); forward(); },
  ArrowLeft: () => { stopPlaying(); back(); },
  Home: () => { stopPlaying(); go(0); },
  End: () => { stopPlaying(); go(track().steps.length); },
  ' ': togglePlaying,
  '/': () => byId('search').focus(),
  '+': () => view() && zoom(view(), 1.25),
  '-': () => view() && zoom(view(), 0.8),
  0: () => view() && fit(view()),
  u: () => { stopPlaying(); back(); },
};

function listen() {
  const clicks = { first: KEYS.Home, back: KEYS.ArrowLeft, play: togglePlaying, forward: KEYS.ArrowRight, last: KEYS.End, 'zoom-in': KEYS['+'], 'zoom-out': KEYS['-'], 'zoom-fit': KEYS[0] };
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener('click', act);
  byId('chooser').addEventListener('change', () => choose(+byId('chooser').value));
  byId('search').addEventListener('input', listFound);
  byId('load').addEventListener('change', async event => {
    for (const file of event.target.files) loadRuns(await file.text());
    event.target.value = '';
  });
  byId('load-box').addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') byId('load').click();
  });
  document.addEventListener('keydown', event => {
    const typing = event.target.matches('input, select, textarea');
    const pressing = event.target.matches('button, [role=button]') && [' ', 'Enter'].includes(event.key);
    if (event.key === 'Escape') {
      byId('search').value = '';
      byId('search').blur();
      listFound();
    }
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || typing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  byId('theme').addEventListener('click', () => setTheme(byId('theme').textContent.toLowerCase()));
  window.addEventListener('resize', () => {
    const drawn = view();
    if (!drawn) return;
    if (drawn.moved) {
      applyView(drawn);
    } else {
      begin(drawn);
      show(drawn, drawn.frame === 0);
    }
  });
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
}

/** Begins where the address says: #run=2&step=5. */
function start() {
  const at = new URLSearchParams(location.hash.slice(1));
  const number = key => parseInt(at.get(key), 10) || 0;
  setTheme(at.get('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  fillChooser();
  listen();
  byId('load-box').hidden = wholeNet < 0;
  byId('play-help').hidden = wholeNet < 0;
  const firstWithRun = Math.max(0, entries.findIndex(e => e.track.steps.length > 0 || e.track.end !== 'open'));
  const wanted = number('run') - 1;
  choose(wanted >= 0 && wanted < entries.length ? wanted : firstWithRun, Math.max(0, number('step')));
}

start();
