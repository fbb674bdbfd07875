// Search over an index that is fetched when somebody begins to search, and a button to copy each piece of code.
const search = document.querySelector('.search');
const input = search.querySelector('input');
const found = search.querySelector('.found');
search.hidden = false;

let index = null;
const load = () =>
  (index ??= fetch('/developers/search.json')
    .then((answer) => answer.json())
    .then(({ sections, english }) => {
      const words = new Set(sections.flatMap((one) => [...one.words.split(' '), ...wordsOf(one.heading)]));
      return { sections, english, words: [...words] };
    }));
const simple = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text) =>
  simple(text)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);

/** How many letters have to be changed, added or taken away to make one word of another. */
function distance(one, other) {
  let row = [...other, ''].map((_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, wanted] of [...other].entries())
      next.push(Math.min(next[to] + 1, row[to + 1] + 1, row[to] + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row.at(-1);
}

/** The word itself where the documents have it or its beginning, else the one of theirs that is nearest to it. */
function corrected(word, words) {
  const most = word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
  if (most === 0 || words.some((one) => one.startsWith(word))) return word;
  let [nearest, least] = [word, most + 1];
  for (const one of words) {
    if (Math.abs(one.length - word.length) > most) continue;
    const far = distance(one, word);
    if (far < least) [nearest, least] = [one, far];
  }
  return nearest;
}

/** What is looked for: the words as they are, or in English where the glossary has them in Portuguese. */
function readings(text, { english, words }) {
  const asked = ` ${wordsOf(text).join(' ')} `;
  const inEnglish = Object.entries(english).reduce(
    (said, [term, word]) => said.replace(` ${term} `, ` ${word} `),
    asked,
  );
  return [...new Set([asked, inEnglish])].map((one) => wordsOf(one).map((word) => corrected(word, words)));
}

/** Every word has to begin a word of the section; a word of the heading counts more. */
function score({ heading, page, words }, wanted) {
  const [title, name, text] = [simple(heading), simple(page), ` ${words}`];
  let sum = 0;
  for (const word of wanted) {
    if (wordsOf(title).includes(word)) sum += 12;
    else if (title.includes(word)) sum += 8;
    else if (name.includes(word)) sum += 4;
    else if (text.includes(` ${word}`)) sum += 1;
    else return 0;
  }
  return sum;
}

/** The points of the better reading. Whoever asks in Portuguese gets what is in Portuguese before words in passing. */
function pointsOf(section, asked) {
  const points = Math.max(...asked.map((wanted) => score(section, wanted)));
  return points > 0 && asked.length > 1 && section.lang === 'pt-BR' ? points + 8 : points;
}

async function show() {
  if (wordsOf(input.value).length === 0) {
    found.hidden = true;
    return;
  }
  let loaded;
  try {
    loaded = await load();
  } catch {
    index = null;
    tell('The search could not be loaded. Try again.');
    return;
  }
  const asked = readings(input.value, loaded);
  const best = loaded.sections
    .map((section) => ({ section, points: pointsOf(section, asked) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 12);
  if (best.length === 0) {
    tell('Nothing is found. Try another word.');
    return;
  }
  found.replaceChildren(
    ...best.map(({ section }) => {
      const link = document.createElement('a');
      link.href = section.path;
      link.lang = section.lang;
      link.textContent = section.heading;
      const where = document.createElement('small');
      where.textContent = `${section.page} · ${section.begin}`;
      link.append(where);
      return link;
    }),
  );
  found.hidden = false;
}

function tell(text) {
  const line = document.createElement('p');
  line.textContent = text;
  found.replaceChildren(line);
  found.hidden = false;
}

input.addEventListener('focus', () => void load().catch(() => (index = null)));
input.addEventListener('input', () => void show());
search.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    found.hidden = true;
    input.focus();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
    event.preventDefault();
  } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
});
document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) found.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  input.focus();
  event.preventDefault();
});

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  block.append(button);
}
