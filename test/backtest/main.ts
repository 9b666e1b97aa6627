/**
 * `npm run backtest`: do scores computed from what was known then order requests by what became of them? Weights are chosen on the requests
 * of 2020 by what was known of them in 2024, and judged on those of 2024 and region by region. Exit code 1 where the chosen weights do not
 * order held-out requests better than each component alone.
 */
import { runProgram, Sentence } from "../../deploy/local/sentence.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import { haveRealData, realData } from "../bench/real-data.ts";
import { bestWeights, judgedBy } from "./choose.ts";
import { agreementsHidden, type Case, cohort2020, cohort2024 } from "./cohorts.ts";
import { describeCohort, describeGrades, describeOrder } from "./describe.ts";
import { judgeByRegion, judgeCalibration, judgeHeldOut } from "./judge.ts";
import { queuedUp2020, Reader } from "./lists.ts";
import { comparePostures } from "./posture-table.ts";
import { postureOf2020, postureOf2024 } from "./posture-then.ts";
import { sampleOf, scored } from "./samples.ts";
import { seriesOf } from "./series.ts";
import { tellTried } from "./tried.ts";
import { inWords } from "./weights.ts";

const say = (text: string): void => void process.stdout.write(`${text}\n`);

await runProgram(async () => {
	if (!haveRealData) {
		say(`Backtest skipped: ${realData} does not exist (set REAL_DATA_DIR).`);
		return;
	}
	const reader = new Reader(realData);
	const missing = reader.missing();
	if (missing.length > 0) throw new Sentence(`${realData} lacks ${missing.join(", ")}.`);
	if (!(await backtest(reader))) process.exitCode = 1;
});

async function backtest(reader: Reader): Promise<boolean> {
	const then = postureOf2020(await reader.requests(queuedUp2020));
	const of2020 = await cohort2020(reader);
	const of2024 = await cohort2024(reader);
	const shown = of2020.cases.filter(({ facts }) => !agreementsHidden.has(facts.region));
	const training: Case[] = shown.map((each) => ({ ...each, fate: each.fateBy2024 }));
	const sample = sampleOf(scored(training, { ...version1, posture: then }), judgedBy["2020"]);
	const chosen = bestWeights(sample, "one region");
	for (const cohort of [of2020, of2024]) {
		say(describeCohort(cohort));
		say(describeOrder(cohort, chosen, then));
	}
	say("Weights are milestone / posture / tax credit / cleanliness / tier.");
	say(`Chosen on 2020 (without PJM) by "${judgedBy["2020"]}" as known in 2024: ${inWords(chosen)}.\n`);
	const kept = judgedBy["2024"];
	const built = judgedBy["2020"];
	const verdicts = [
		judgeHeldOut(`Held out by year: 2024, "${kept}"`, seriesOf(of2024.cases, kept, chosen, then)),
		judgeByRegion(`Held out by region: 2024, "${kept}"`, of2024.cases, kept, then),
		judgeByRegion(`Held out by region: 2020 without PJM, "${built}"`, shown, built, then),
	];
	for (const { text } of verdicts) say(text);
	say(judgeCalibration(training, of2024.cases, chosen, then));
	for (const cohort of [of2020, of2024]) say(describeGrades(cohort, chosen, then));
	const known = new Map([
		["known as 2020 ended", then],
		["fitted on 2020's requests by 2024", postureOf2024(of2020.cases)],
	]);
	say(comparePostures(of2024, chosen, known));
	const selections = new Map([
		["all", of2020.cases],
		["without PJM", shown],
	]);
	say(tellTried({ training: selections, of2024: of2024.cases }, then));
	const passed = verdicts.filter((verdict) => verdict.passed).length;
	say(`The chosen weights beat each component alone in ${passed} of ${verdicts.length} held-out tests.`);
	return passed === verdicts.length;
}
