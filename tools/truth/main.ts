/**
 * `npm run truth -- [--data DIR | --url URL] [--json] [--write]`: loads the operators' real lists into a system of its own, or reads one that
 * runs already, and prints what a paying user checks first, before and now; then requests that were read by hand, and requests drawn at random
 * beside the rows of the operators' files. With --write the latter is docs/truth.md. Ends with 1 where a drawn request says something wrong.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../deploy/local/data-dir.ts";
import { runProgram, UserError } from "../../deploy/local/program.ts";
import { haveRealData, realData } from "../bench/real-data.ts";
import { readAnswers } from "./answers.ts";
import { documentOf } from "./document.ts";
import { judgeDrawn } from "./drawn.ts";
import { linksOf } from "./links.ts";
import { readByHand, readDevelopers, readTop } from "./read-by-hand.ts";
import { startLoaded } from "./system.ts";
import { figuresOf, printed } from "./table.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

await runProgram(async () => {
	const { values } = parseArgs({
		options: {
			data: { type: "string" },
			url: { type: "string" },
			json: { type: "boolean", default: false },
			write: { type: "boolean", default: false },
		},
	});
	const folder = values.data === undefined ? realData : resolve(process.env.INIT_CWD ?? process.cwd(), values.data);
	if (values.data === undefined && !haveRealData)
		throw new UserError(`${realData} does not exist: name the folder of lists with --data DIR.`);
	await using system =
		values.url === undefined
			? await startLoaded(folder, say)
			: { url: values.url, ceilings: async () => null, async [Symbol.asyncDispose]() {} };
	say("Reading the answers...");
	const answers = await readAnswers(system.url);
	const figures = figuresOf(answers);
	say("Reading the files...");
	const drawn = await judgeDrawn(system.url, folder, answers.projects);
	const read = readByHand(answers.projects);
	const tops = {
		"/investable": readTop("investable", answers),
		"/deals/itc": readTop("deals", answers),
		"/capital/leaderboard": readDevelopers(answers.leaderboard),
	};
	const links = linksOf(answers.projects, answers.linked, await system.ceilings());
	if (values.json) process.stdout.write(`${JSON.stringify({ figures, drawn, read, links, tops }, null, "\t")}\n`);
	else process.stdout.write(`${printed(figures)}\n\n${documentOf(drawn, read, [], links, tops)}`);
	if (values.write) writeFileSync(join(root, "docs", "truth.md"), documentOf(drawn, read, figures, links, tops));
	if (drawn.some(({ fields }) => fields.some(({ verdict }) => verdict === "wrong"))) process.exitCode = 1;
});
