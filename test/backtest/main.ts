/**
 * `npm run backtest`: do scores computed from what was known then order requests by what became of them? Weights are chosen on the requests
 * of 2020 by what was known of them in 2024, and judged on those of 2024 and region by region. Exit code 1 where the chosen weights do not
 * order held-out requests better than each component alone.
 */
import { runProgram, Sentence } from "../../deploy/local/sentence.ts";
import { haveRealData, realData } from "../bench/real-data.ts";
import { choose } from "./choose.ts";
import { agreementsHidden, type Case, cohort2020, cohort2024 } from "./cohorts.ts";
import { describeCohort, describeGrades, describeOrder } from "./describe.ts";
import { judgeByRegion, judgeCalibration, judgeHeldOut, tellChoice } from "./judge.ts";
import { queuedUp2020, Reader } from "./lists.ts";
import { comparePostures } from "./posture-table.ts";
import { postureOf2020, postureOf2024 } from "./posture-then.ts";
import { judgedSeries } from "./series.ts";
import { inWords } from "./weights.ts";

await runProgram(async () => {
	const say = (text: string) => process.stdout.write(`${text}\n`);
	if (!haveRealData) {
		say(`Backtest skipped: ${realData} does not exist (set REAL_DATA_DIR).`);
		return;
	}
	const reader = new Reader(realData);
	const missing = reader.missing();
	if (missing.length > 0) throw new Sentence(`${realData} lacks ${missing.join(", ")}.`);
	if (!(await backtest(reader, say))) process.exitCode = 1;
});

async function backtest(reader: Reader, say: (text: string) => void): Promise<boolean> {
	const then = postureOf2020(await reader.requests(queuedUp2020));
	const of2020 = await cohort2020(reader);
	const of2024 = await cohort2024(reader);
	const shown = of2020.cases.filter(({ facts }) => !agreementsHidden.has(facts.region));
	const training: Case[] = shown.map((each) => ({ ...each, fate: each.fateBy2024 }));
	const { choices, taken } = choose(training, then);
	for (const cohort of [of2020, of2024]) {
		say(describeCohort(cohort));
		say(describeOrder(cohort, taken, then));
	}
	say(tellChoice(choices, taken));
	const verdicts = [
		judgeHeldOut("Held out by year: the requests of 2024", judgedSeries(of2024.cases, taken, then)),
		judgeByRegion("Held out by region: the requests of 2020 (without PJM)", shown, taken, then),
		judgeByRegion("Held out by region: the requests of 2024", of2024.cases, taken, then),
	];
	for (const { text } of verdicts) say(text);
	say(judgeCalibration(training, of2024.cases, taken, then));
	for (const cohort of [of2020, of2024]) say(describeGrades(cohort, taken, then));
	const known = new Map([
		["known as 2020 ended", then],
		["fitted on 2020's requests by 2024", postureOf2024(of2020.cases)],
	]);
	say(comparePostures(of2024, taken, known));
	const passed = verdicts.every((verdict) => verdict.passed);
	say(`Chosen: ${inWords(taken.weights)}, deductions: ${taken.candidate.name}. ${passed ? "Passed." : "FAILED."}`);
	return passed;
}
