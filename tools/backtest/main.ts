/**
 * `npm run backtest`: fits the model of the score's chances on past lists and says how it held on days that it had not seen. Exit code 0
 * where the files beside the code are what is fitted and found today, 1 where not; with `--write` they become so.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { runProgram } from "../../deploy/local/program.ts";
import { currentVersion } from "../../services/scoring/domain/score/version.ts";
import { haveRealData, realData } from "../bench/real-data.ts";
import { fitModel, judge } from "./judge.ts";
import { readPast } from "./past.ts";
import { picture } from "./picture.ts";
import { scoresPage } from "./scores-page.ts";

const root = resolve(import.meta.dirname, "../..");
const score = "services/scoring/domain/score";
const inJson = (value: unknown): string => `${JSON.stringify(value, null, "\t")}\n`;

await runProgram(async () => {
	if (!haveRealData) {
		console.log(`Backtest skipped: ${realData} does not exist (set REAL_DATA_DIR).`);
		return;
	}
	const past = await readPast(realData);
	const result = judge(past, currentVersion);
	const page = scoresPage(result);
	const files = {
		[`${score}/model.json`]: inJson(fitModel(past, currentVersion)),
		[`${score}/backtest.json`]: inJson(result),
		"docs/scores.md": page,
		"docs/scores/all.svg": picture(result.overall.groups),
	};
	console.log(page);
	for (const [name, text] of Object.entries(files)) {
		const path = resolve(root, name);
		if (process.argv.includes("--write")) {
			await mkdir(dirname(path), { recursive: true });
			await writeFile(path, text);
		} else if ((await readFile(path, "utf8").catch(() => null)) !== text) {
			console.log(`${name} is NOT what is found today.`);
			process.exitCode = 1;
		}
	}
});
