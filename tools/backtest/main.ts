/**
 * `npm run backtest`: do scores computed from what was known then order requests by what became of them? Exit code 0 where the criterion
 * below holds and version 3 is what is fitted today, 1 where not. With `--write` version 3's table, /scores/backtest and docs/scores.md are written anew.
 */
import { runProgram, UserError } from "../../deploy/local/program.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import { version2 } from "../../services/scoring/domain/score/versions/2.ts";
import { createDatabase } from "../../test/support/database.ts";
import { startServers } from "../../test/support/servers.ts";
import { haveRealData, realData } from "../bench/real-data.ts";
import { bestWeights, judgedBy } from "./choose.ts";
import { agreementsHidden, type Case, cohort2020, cohort2024 } from "./cohorts.ts";
import { queuesOf } from "./dated-lists.ts";
import { comparePostures, describeCohort, describeGrades, describeOrder } from "./describe.ts";
import { judgeByRegion, judgeCalibration, judgeHeldOut } from "./judge.ts";
import { everyList, isOperators, queuedUp2020, Reader } from "./lists.ts";
import { loadLists } from "./loaded-lists.ts";
import { type Posture, postureOf2020, postureOf2024 } from "./posture-then.ts";
import { decimals, section } from "./report.ts";
import { inWords, pairings, sampleOf, scored } from "./samples.ts";
import { areaOf, judged, scoredUnder, seriesOf } from "./series.ts";
import { tellTried } from "./tried.ts";
import { judgeVersion3 } from "./version3.ts";

const criterion = `Criterion
---------
  The served version (its own weights and posture, both fitted on what was known before the test cohort) must order the requests of
  2024 by what became of them (kept: built or still open, against withdrawn or vanished) better than each of its components alone:
  over all pairs and over pairs of one region, held out by year; and over pairs of one region, held out by region (weights chosen
  without the region).
  It was set after these requests had been looked at. An earlier one also asked it of 2020's requests, held out by region, by what of
  them was built; that is printed below and decides nothing now. The fitted posture too was taken after its figures had been seen.
`;

const limits = `What this does not show
-----------------------
  "Kept" after one to two years is mostly "still open". What is built of the finished, and of all, is printed beside it.
  The points of milestones and deductions are version 1's, which have seen outcomes up to 2025: 35 for PJM's facilities studies rests
  on withdrawals of August 2024 to May 2025. The line on it above says what that is worth.
  ERCOT's lists drop what is built and what is cancelled: its share of built, and with it its posture, may be too high.
  The lists of 2024 are of July to December: ERCOT's and NYISO's fates by then are known up to five months after the day of the others.
  Fitted without them (ERCOT's by the edition through 2023, NYISO's not at all) the weights were the same, and 2024's areas 0.735 over
  all pairs and 0.652 over pairs of one region.
  Requests of one region and year fall together: the intervals draw those whole, but there are only six regions.
`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

await runProgram(async () => {
	if (!haveRealData) {
		say(`Backtest skipped: ${realData} does not exist (set REAL_DATA_DIR).`);
		return;
	}
	await using stack = new AsyncDisposableStack();
	let past: ReturnType<typeof load> | undefined;
	const load = async () => {
		stack.use(await startServers());
		const database = stack.use(await createDatabase("queue-ingest"));
		const sql = stack.use(connect(database.url, { schema, name: "backtest", max: 4, statementTimeoutMs: 0 }));
		const dated = Object.values(queuesOf()).flatMap((queues) => queues.flatMap(({ lists }) => lists));
		const loaded = await loadLists(sql, realData, [...everyList.filter(isOperators), ...dated]);
		say(`${loaded.loaded} lists were loaded in ${Math.round(loaded.seconds)} s; facts are read as of their days.\n`);
		return loaded;
	};
	const loadOnce = () => {
		past ??= load();
		return past;
	};
	const reader = new Reader(realData, loadOnce);
	const missing = reader.missing();
	if (missing.length > 0) throw new UserError(`${realData} lacks ${missing.join(", ")}.`);
	const write = process.argv.includes("--write");
	const isHeld = await judgeVersion3(reader, { write, say });
	if (!(await backtest(reader)) || !isHeld) process.exitCode = 1;
});

async function backtest(reader: Reader): Promise<boolean> {
	const then = postureOf2020(await reader.requests(queuedUp2020));
	const of2020 = await cohort2020(reader);
	const of2024 = await cohort2024(reader);
	const isTrainedOn = ({ facts }: Case) => !agreementsHidden.has(facts.region);
	const shown = of2020.cases.filter(isTrainedOn);
	// No leakage: what is fitted on sees of each request of 2020 the fate by its operator's list of 2024, never by the lists from after it
	// that tell what became of those under test. ERCOT's and NYISO's lists are of December, after the day of the others (see `limits`).
	const training = shown.map((each) => ({ ...each, fate: each.fateBy2024 }));
	const with2020s = { [judged]: { ...version2, posture: then }, "version 1": { ...version1, posture: then } };
	const served = { [judged]: version2, "version 1": version1 };
	const under2020 = scoredUnder(of2020.cases, with2020s);
	const under2024 = scoredUnder(of2024.cases, { ...served, "1, posture of 2020": with2020s["version 1"] });
	const { kept, built } = { kept: judgedBy["2024"], built: judgedBy["2020"] };

	say(criterion);
	const isAsFitted = compareFitted(training, postureOf2024(of2020.cases));
	for (const cohort of [of2020, of2024]) say(describeCohort(cohort));
	say("Version 2's weights were chosen on the requests of 2020 (without PJM): on these it is not held out.");
	say(describeOrder("2020 (posture of its end)", under2020));
	say(describeOrder("2024", under2024));
	const byYear = judgeHeldOut(`Held out by year: 2024, "${kept}"`, seriesOf(under2024, kept));
	const byRegion = judgeByRegion(
		`Held out by region: 2024, "${kept}" (version 2: weights chosen without the region)`,
		under2024,
		kept,
	);
	const under2020Shown = scoredUnder(shown, with2020s);
	const of2020ByRegion = judgeByRegion(
		`Held out by region: 2020 without PJM, "${built}" (likewise; no part of the criterion)`,
		under2020Shown,
		built,
	);
	for (const { text } of [byYear, byRegion, of2020ByRegion]) say(text);
	say(judgeCalibration(scoredUnder(training, served), under2024, kept));
	say(describeGrades("2020 (posture of its end)", under2020));
	say(describeGrades("2024", under2024));
	const postures = new Map<string, Posture>([
		["version 1 (has seen outcomes up to 2025)", version1.posture],
		["known as 2020 ended", then],
		["version 2: fitted on 2020's requests by 2024", version2.posture],
	]);
	say(comparePostures(of2024, [version2, version1], postures));
	const selections = new Map([
		["all", of2020.cases],
		["without PJM", shown],
	]);
	say(tellTried({ training: selections, of2024: of2024.cases }, then));
	say(withoutHindsight(of2024.cases));
	say(limits);
	return tellVerdict([
		["its weights and posture are those fitted", isAsFitted],
		["held out by year, all pairs", byYear.passed.has("all")],
		["held out by year, pairs of one region", byYear.passed.has("one region")],
		["held out by region, pairs of one region", byRegion.passed.has("one region")],
	]);
}

/** Whether the served version is what the fit gives today. */
function compareFitted(training: readonly Case[], posture: Posture): boolean {
	const requests = scored(training, { ...version1, posture });
	const weights = bestWeights(sampleOf(requests, judgedBy["2020"]), "one region");
	const inPoints = (points: Posture) => JSON.stringify(Object.entries(points).sort());
	const isAsFitted = inWords(weights) === inWords(version2.weights) && inPoints(posture) === inPoints(version2.posture);
	say("Weights are milestone / posture / tax credit / cleanliness / tier.");
	say(`Chosen on 2020 (without PJM) by "${judgedBy["2020"]}" as known in 2024: ${inWords(weights)}.`);
	say(
		`${judged} has ${isAsFitted ? "these, and the fitted posture" : "OTHER weights or another posture than fitted"}.\n`,
	);
	return isAsFitted;
}

/** The same with the points of other regions' facilities studies for PJM's: the one milestone that is known to have seen the test. */
function withoutHindsight(cases: readonly Case[]): string {
	const milestones = { ...version2.milestones, facilities_study_pjm: version2.milestones.facilities_study };
	const series = seriesOf(scoredUnder(cases, { [judged]: { ...version2, milestones } }), judgedBy["2024"]);
	const lines = pairings.map((pairs) => {
		const [version, milestone] = [judged, "milestone"].map((name) => decimals(areaOf(series, name, pairs)));
		return `  ${pairs === "all" ? "all pairs" : "pairs of one region"}: ${judged} ${version}, milestone ${milestone}`;
	});
	return section(
		`2024, "${series.outcome}", with as many points for PJM's facilities studies as for others'`,
		...lines,
	);
}

function tellVerdict(parts: readonly (readonly [string, boolean])[]): boolean {
	const holds = parts.every(([, isMet]) => isMet);
	for (const [part, isMet] of parts) say(`${isMet ? "met    " : "NOT MET"}  ${part}`);
	say(`The criterion ${holds ? "holds" : "does not hold"} for ${judged}.`);
	return holds;
}
