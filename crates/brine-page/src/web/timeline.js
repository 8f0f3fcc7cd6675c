// The timeline: a slider, and below it the truth of the formula and its parts at each position.

/** Builds the timeline of a track; `go` is called with a position. */
function buildTimeline(box, track, go) {
  const columns = track.steps.length + 1;
  box.style.setProperty('--columns', columns);
  box.replaceChildren();
  const slider = make('input', { type: 'range', id: 'slider', min: 0, max: columns - 1, value: 0 });
  slider.setAttribute('aria-label', 'Position in the run');
  slider.addEventListener('input', () => go(+slider.value));
  const lane = make('div', { className: 'lane' });
  lane.append(slider);
  box.append(make('span', { className: 'part', textContent: 'step' }), lane);
  if (track.end !== 'open') box.append(make('span'), endOf(track, columns));
  const rows = track.truth.map(row => {
    const name = make('span', { className: 'part', title: row.text });
    const value = make('b');
    name.append(value, make('span', { className: 'formula', textContent: row.text }));
    const strip = stripOf(track, row, columns);
    strip.addEventListener('click', event => {
      const { left, width } = strip.getBoundingClientRect();
      go(Math.min(columns - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * columns))));
    });
    box.append(name, strip);
    return { row, value };
  });
  const cursor = make('div', { className: 'cursor' });
  box.append(cursor);
  return { box, slider, rows, cursor, columns };
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties || {});
}

/** T, F or ?; the position behind a cycle is the one at its beginning. */
function truthAt(track, row, position) {
  return row.values[position < row.values.length ? position : track.home] || '?';
}

/** Bars: high where the part is true, a line where it is false, dashed where it is open. */
function stripOf(track, row, columns) {
  const strip = make('div', { className: 'strip' });
  if (track.end === 'repeats') strip.append(span(track.home, columns, columns, 'loop'));
  for (let from = 0; from < columns;) {
    const value = truthAt(track, row, from);
    let to = from + 1;
    while (to < columns && truthAt(track, row, to) === value) to += 1;
    const name = { T: 'true', F: 'false' }[value] || 'open';
    strip.append(span(from, to, columns, name));
    from = to;
  }
  return strip;
}

function span(from, to, columns, className) {
  const bar = make('i', { className });
  bar.style.left = `${(100 * from) / columns}%`;
  bar.style.width = `${(100 * (to - from)) / columns}%`;
  return bar;
}

/** How the run ends: a bracket around the cycle, or a mark on the last position. */
function endOf(track, columns) {
  const lane = make('div', { className: 'lane end' });
  if (track.end === 'repeats') {
    const from = track.home + 0.5;
    const bracket = span(from, columns - 0.5, columns, 'bracket');
    bracket.append(make('em', { textContent: '\u21ba repeats for ever' }));
    if (from / columns > 0.6) bracket.classList.add('late');
    lane.append(bracket);
  } else {
    const mark = span(columns - 1, columns, columns, `mark ${track.end}`);
    const words = track.end === 'dead' ? 'dead: nothing is enabled' : `${track.end}, whatever follows`;
    mark.append(make('em', { textContent: `${words} \u25b2` }));
    lane.append(mark);
  }
  return lane;
}

/** Shows a position. */
function moveTimeline(timeline, track, position) {
  timeline.slider.value = position;
  timeline.box.style.setProperty('--at', position);
  for (const { row, value } of timeline.rows) {
    const letter = truthAt(track, row, position);
    value.textContent = { T: 'true', F: 'false' }[letter] || 'open';
    value.className = { T: 'true', F: 'false' }[letter] || 'open';
  }
}
