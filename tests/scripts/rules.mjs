/* Answers questions about boards with a kind's rules in JavaScript: node rules.mjs MODULE. Each line of
   the input is a start and moves to try as JSON, and so is each line of the output. */

import { createInterface } from "node:readline";

const rules = await import(process.argv[2]);

const state = (position) => [rules.moves(position), rules.judge(position), rules.told(position)];

for await (const line of createInterface({ input: process.stdin })) {
  const { start, tries } = JSON.parse(line);
  let position = rules.read(start);
  const answers = [state(position)];
  for (const move of tries) {
    const after = rules.play(position, move);
    if ("why" in after) answers.push(after);
    else answers.push([...state(after), rules.describe(move), rules.told(position, after)]);
    if (!("why" in after)) position = after;
  }
  console.log(JSON.stringify(answers));
}
