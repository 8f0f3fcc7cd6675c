// The drawn net: its tokens, what is marked in it, moving and zooming.

const SVG = 'http://www.w3.org/2000/svg';
const MOVING_TIME = 520;

/** A view of the drawing of one subject. */
function makeView(box, subject, spots, dots) {
  const svg = box.querySelector('svg');
  const nodes = { place: [], transition: [] };
  for (const g of svg.querySelectorAll('.place')) nodes.place[g.dataset.p] = g;
  for (const g of svg.querySelectorAll('.transition')) nodes.transition[g.dataset.t] = g;
  const arcs = new Map();
  for (const g of svg.querySelectorAll('.arc')) {
    const list = arcs.get(+g.dataset.t) || [];
    list.push({ place: +g.dataset.p, g, path: g.querySelector('path') });
    arcs.set(+g.dataset.t, list);
  }
  return {
    box, svg, subject, spots, dots, nodes, arcs,
    moving: svg.querySelector('.moving'),
    // `moved`: somebody moved the window.
    shown: [], frame: 0, limit: 0,
    corner: { x: 0, y: 0 }, scale: 1, moved: false,
  };
}

/** Shows a marking. */
function showTokens(view, marking) {
  view.nodes.place.forEach((g, place) => {
    const count = marking[place];
    if (view.shown[place] === count) return;
    view.shown[place] = count;
    g.querySelector('.tokens').replaceChildren(...tokensOf(view, count));
    const name = view.subject.net.places[place].label;
    g.querySelector('title').textContent = `${name}: ${count} ${count === 1 ? 'token' : 'tokens'}`;
  });
}

/** The tokens of a place: dots, or their number. */
function tokensOf(view, count) {
  if (count < view.dots.length) {
    return view.dots[count].map(([cx, cy]) => element('circle', { cx, cy, r: 3.7 }));
  }
  const text = element('text', { class: 'count', y: 4 });
  text.textContent = count < 1e4 ? count : count < 1e6 ? `${Math.floor(count / 1e3)}k` : `${Math.floor(count / 1e6)}M`;
  return [text];
}

function element(name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}

/** Marks the transition that was fired, the one that comes next, and those that are enabled. */
function markTransitions(view, fired, next, enabled) {
  view.nodes.transition.forEach((g, t) => {
    g.classList.toggle('fired', t === fired);
    g.classList.toggle('next', t === next);
    const can = enabled.has(t);
    g.classList.toggle('enabled', can);
    if (can) {
      g.setAttribute('tabindex', '0');
      g.setAttribute('role', 'button');
      g.setAttribute('aria-label', `Fire ${view.subject.net.transitions[t].label}`);
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) g.removeAttribute(name);
    }
  });
  for (const g of view.svg.querySelectorAll('.arc.active')) g.classList.remove('active');
  for (const arc of view.arcs.get(fired) || []) arc.g.classList.add('active');
}

/** Lets tokens run along the arcs of a transition; `between` is shown on the way. */
function moveTokens(view, transition, between, done) {
  const arcs = view.arcs.get(transition) || [];
  const legs = [];
  for (const { g, path } of arcs) {
    const takes = g.classList.contains('takes');
    if (takes) legs.push({ path, begin: 0, back: false });
    // The path of an arc that reads leads to the transition.
    if (g.classList.contains('puts')) legs.push({ path, begin: 0.5, back: takes });
  }
  showTokens(view, between);
  const began = performance.now();
  const dots = legs.map(leg => ({ ...leg, long: leg.path.getTotalLength(), dot: element('circle', { r: 4 }) }));
  const frame = now => {
    const at = Math.min(1, (now - began) / MOVING_TIME);
    for (const { path, begin, back, long, dot } of dots) {
      const part = (at - begin) * 2;
      if (part < 0 || part > 1) {
        dot.remove();
        continue;
      }
      const { x, y } = path.getPointAtLength(long * (back ? 1 - part : part));
      dot.setAttribute('cx', x);
      dot.setAttribute('cy', y);
      view.moving.append(dot);
    }
    if (at < 1) {
      view.frame = requestAnimationFrame(frame);
    } else {
      end();
    }
  };
  const end = () => {
    stopMoving(view);
    done();
  };
  view.frame = requestAnimationFrame(frame);
  // Browsers give no frames to windows that nobody sees.
  view.limit = setTimeout(end, MOVING_TIME + 300);
}

function stopMoving(view) {
  cancelAnimationFrame(view.frame);
  clearTimeout(view.limit);
  view.frame = 0;
  view.moving.replaceChildren();
}

// Where the window stands: `corner` is its upper left one, `scale` pixels for a unit.

function size(view) {
  return { width: Math.max(view.box.clientWidth, 50), height: Math.max(view.box.clientHeight, 50) };
}

function applyView(view) {
  const { width, height } = size(view);
  const box = [view.corner.x, view.corner.y, width / view.scale, height / view.scale];
  view.svg.setAttribute('viewBox', box.join(' '));
}

/** What covers the window at the top: the search and the buttons. */
const TOOLS = 44;

function fitScale(view) {
  const [, , width, height] = view.spots.corners;
  const window = size(view);
  return Math.min(window.width / width, (window.height - TOOLS) / height, 1.7);
}

/** Shows all of the net. */
function fit(view) {
  const [x, y, width, height] = view.spots.corners;
  view.scale = fitScale(view);
  view.moved = false;
  centre(view, x + width / 2, y + height / 2 - TOOLS / 2 / view.scale);
}

function centre(view, x, y) {
  const window = size(view);
  view.corner = { x: x - window.width / view.scale / 2, y: y - window.height / view.scale / 2 };
  applyView(view);
}

/** Brings a point to the middle, but shows no emptiness beside the net. */
function centreInNet(view, x, y) {
  const [left, top, width, height] = view.spots.corners;
  const window = size(view);
  const within = (at, from, long, before, after) => {
    const low = from + before;
    const high = from + long - after;
    return low <= high ? Math.min(high, Math.max(low, at)) : (low + high) / 2;
  };
  const [half, tall, tools] = [window.width / 2, window.height / 2, TOOLS].map(n => n / view.scale);
  centre(view, within(x, left, width, half, half), within(y, top, height, tall - tools, tall));
}

/** Zooms so that a point of the window stays where it is. */
function zoom(view, factor, at) {
  view.moved = true;
  const window = size(view);
  const [px, py] = at || [window.width / 2, window.height / 2];
  const scale = Math.min(4, Math.max(Math.min(fitScale(view), 0.6) * 0.6, view.scale * factor));
  view.corner.x += px / view.scale - px / scale;
  view.corner.y += py / view.scale - py / scale;
  view.scale = scale;
  applyView(view);
}

/** Brings a transition and its places into the window, if they are not. */
function follow(view, transition) {
  const spots = [view.spots.transitions[transition]];
  for (const { place } of view.arcs.get(transition) || []) spots.push(view.spots.places[place]);
  const drawn = spots.filter(Boolean);
  if (!spots[0] || drawn.length === 0) return;
  const { width, height } = size(view);
  const inside = ([x, y]) => {
    const [px, py] = [(x - view.corner.x) * view.scale, (y - view.corner.y) * view.scale];
    return px > 20 && py > TOOLS + 10 && px < width - 20 && py < height - 20;
  };
  if (!drawn.every(inside)) {
    const mean = i => drawn.reduce((sum, spot) => sum + spot[i], 0) / drawn.length;
    centreInNet(view, mean(0), mean(1));
  }
}

/** Moving and zooming with mouse, fingers and wheel. */
function listenToPointers(view) {
  const pointers = new Map();
  const { svg } = view;
  svg.addEventListener('wheel', event => {
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(view, Math.exp(-event.deltaY * 0.002), [event.clientX - box.left, event.clientY - box.top]);
  }, { passive: false });
  svg.addEventListener('pointerdown', event => pointers.set(event.pointerId, event));
  svg.addEventListener('pointermove', event => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const others = [...pointers.values()].filter(p => p.pointerId !== event.pointerId);
    pointers.set(event.pointerId, event);
    if (others.length === 1) {
      const far = p => Math.hypot(p.clientX - others[0].clientX, p.clientY - others[0].clientY);
      const box = svg.getBoundingClientRect();
      const middle = [(event.clientX + others[0].clientX) / 2 - box.left, (event.clientY + others[0].clientY) / 2 - box.top];
      zoom(view, far(event) / Math.max(far(before), 1), middle);
    }
    view.moved = true;
    const share = 1 / (view.scale * (others.length + 1));
    view.corner.x -= (event.clientX - before.clientX) * share;
    view.corner.y -= (event.clientY - before.clientY) * share;
    applyView(view);
  });
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) {
    svg.addEventListener(name, event => pointers.delete(event.pointerId));
  }
}
