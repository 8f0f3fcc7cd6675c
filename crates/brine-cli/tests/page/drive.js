// Put behind the scripts of a page by tests/page.rs: does what a person does, with the elements of
// the page, and writes down what a person sees.
(async () => {
  const byId = id => document.getElementById(id);
  const faults = [];
  addEventListener('error', event => faults.push(String(event.message)));

  /** Tokens as they are drawn, by the name that is written beside the place. */
  function tokens() {
    const shown = {};
    for (const place of document.querySelectorAll('.drawing:not([hidden]) .place')) {
      const box = place.querySelector('.tokens');
      const number = box.querySelector('text');
      shown[place.querySelector('.label').textContent] = number ? Number(number.textContent) : box.querySelectorAll('circle').length;
    }
    for (const row of document.querySelectorAll('#table:not([hidden]) tr')) {
      shown[row.querySelector('th').textContent] = row.querySelector('td').textContent;
    }
    return shown;
  }

  function transition(name) {
    const all = [...document.querySelectorAll('.drawing:not([hidden]) .transition')];
    return all.find(t => t.querySelector('.label').textContent === name);
  }

  function key(element, name) {
    element.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  }

  const acts = {
    nothing: () => {},
    wait: () => new Promise(done => setTimeout(done, 1500)),
    click: id => byId(id).click(),
    key: name => key(document.body, name),
    fire: name => transition(name).dispatchEvent(new MouseEvent('click', { bubbles: true })),
    enter: name => key(transition(name), 'Enter'),
    list: position => document.querySelectorAll('#list ol button')[position].click(),
    choose: number => {
      byId('chooser').value = number;
      byId('chooser').dispatchEvent(new Event('change'));
    },
    slider: position => {
      byId('slider').value = position;
      byId('slider').dispatchEvent(new Event('input'));
    },
    strip: share => {
      const strip = document.querySelector('.strip');
      const { left, top, width } = strip.getBoundingClientRect();
      strip.dispatchEvent(new MouseEvent('click', { clientX: left + share * width, clientY: top + 2, bubbles: true }));
    },
    load: async text => {
      const files = new DataTransfer();
      files.items.add(new File([text], 'runs.jsonl'));
      byId('load').files = files.files;
      byId('load').dispatchEvent(new Event('change'));
      await new Promise(done => setTimeout(done, 200));
    },
    find: name => {
      byId('search').value = name;
      byId('search').dispatchEvent(new Event('input'));
      document.querySelector('#found button').click();
    },
  };

  const seen = [];
  for (const [name, argument] of JSON.parse(byId('acts').textContent)) {
    await acts[name](argument);
    seen.push({
      tokens: tokens(),
      enabled: [...document.querySelectorAll('.drawing:not([hidden]) .transition.enabled .label')].map(t => t.textContent).sort(),
      words: byId('words').textContent,
      now: byId('now').textContent,
      where: byId('where').textContent,
      truth: [...document.querySelectorAll('#timeline .part b')].map(b => b.textContent),
      chosen: [...document.querySelectorAll('.chosen .label')].map(t => t.textContent),
    });
  }
  const result = document.createElement('pre');
  result.id = 'seen';
  // Encoded, so that the dumped markup is not in the way.
  result.textContent = encodeURIComponent(JSON.stringify({ seen, faults }));
  document.body.append(result);
})();
