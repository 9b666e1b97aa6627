/** Version 3: its table fitted again, its reliability on days that it had not seen, and what of both is published. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Reply } from "../../libs/contract/index.ts";
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import { horizonMonths, outcomeDefinition } from "../../services/scoring/domain/score/outcomes.ts";
import { version3 } from "../../services/scoring/domain/score/versions/3.ts";
import { queuesOf } from "./dated-lists.ts";
import { areasOf, atScore, coverageOf, type Judged, judgedRequests, reliabilityOf } from "./evaluate.ts";
import { fitOutcomes, inFile } from "./fit-outcomes.ts";
import type { Reader } from "./lists.ts";
import { picture } from "./picture.ts";
import { decimals, section, table } from "./report.ts";
import { History } from "./rolling.ts";
import { scoresPage } from "./scores-page.ts";
import type { Transition } from "./transitions.ts";

type Published = Reply<"getScoreBacktest">;

const root = resolve(import.meta.dirname, "../..");
const files = {
	table: resolve(root, "services/scoring/domain/score/versions/3.outcomes.csv"),
	result: resolve(root, "services/scoring/domain/score/versions/3.backtest.json"),
	page: resolve(root, "docs/scores.md"),
	pictures: resolve(root, "docs/scores"),
};

/** Later than every list. */
const afterAll = "9999-12-31";
/** Operators with lists from then on are compared; ERCOT's reports alone go further back. */
const recently = "2024-07-01";

/** Whether the table beside the code, and what is published of it, are what is found today; with `write` they become so. */
export async function judgeVersion3(
	reader: Reader,
	{ write, say }: { write: boolean; say: (text: string) => void },
): Promise<boolean> {
	const history = new History(reader, queuesOf());
	const records = await history.recordsOn(afterAll);
	const fitted = inFile(fitOutcomes(version3.version, records));
	const published = resultOf(records, await judgedRequests(history));
	const result = `${JSON.stringify(published, null, "\t")}\n`;
	if (write) await writeAll(fitted, result, published);
	const isFitted = (await textOf(files.table)) === fitted;
	const isPublished = (await textOf(files.result)) === result && (await textOf(files.page)) === scoresPage(published);
	say(inText(published));
	say(`The table of version 3 is ${isFitted ? "" : "NOT "}the one that is fitted today.`);
	say(`What is published of its reliability is ${isPublished ? "" : "NOT "}what is found today.\n`);
	return isFitted && isPublished;
}

async function writeAll(fitted: string, result: string, published: Published): Promise<void> {
	await writeFile(files.table, fitted);
	await writeFile(files.result, result);
	await mkdir(files.pictures, { recursive: true });
	for (const { region, groups } of [...published.operators, { region: "all", groups: published.overall.groups }])
		await writeFile(resolve(files.pictures, `${region.toLowerCase()}.svg`), picture(region, groups));
	await writeFile(files.page, scoresPage(published));
}

const textOf = (file: string): Promise<string | null> => readFile(file, "utf8").catch(() => null);

function resultOf(records: ReadonlyMap<Region, readonly Transition[]>, judged: readonly Judged[]): Published {
	const withRecord = judged.filter(({ own }) => own);
	const recent = withRecord.filter(({ from }) => from >= recently);
	const withRecordIn = (region: Region) => withRecord.filter((each) => each.region === region);
	const judgedRegions = regions.filter((region) => withRecordIn(region).length > 0);
	return {
		score_version: version3.version,
		horizon_months: horizonMonths,
		definition: outcomeDefinition,
		fitted: [...records].flatMap(([region, transitions]) =>
			[...Map.groupBy(transitions, ({ from, to }) => `${from} ${to}`).values()].flatMap((some) =>
				some[0] === undefined ? [] : { region, from: some[0].from, to: some[0].to, requests: some.length },
			),
		),
		origins: [...Map.groupBy(judged, ({ region, from }) => `${region} ${from}`).values()].flatMap((some) => {
			const [first] = some;
			if (first === undefined) return [];
			const { groups, monotone, ...held } = reliabilityOf(some);
			const { region, from, to, own } = first;
			return { region, from, to, basis: own ? ("operator" as const) : ("pooled" as const), ...held };
		}),
		overall: { ...reliabilityOf(withRecord), interval_coverage: coverageOf(withRecord, 100) },
		operators: judgedRegions.map((region) => ({ region, ...reliabilityOf(withRecordIn(region)) })),
		areas: (["reached", "kept"] as const).flatMap((outcome) =>
			(["chance", "score", "score2"] as const).map((by) => ({
				outcome,
				by: ({ chance: "p_built", score: "score of version 3", score2: "score of version 2" } as const)[by],
				...named(areasOf(recent, by, outcome)),
			})),
		),
		at_65: judgedRegions.map((region) => ({ region, ...atScore(withRecordIn(region), 65, 101) })),
	};
}

const named = ({ all, within }: ReturnType<typeof areasOf>) => ({ all_pairs: all, pairs_of_one_region: within });

function inText({ operators, overall, areas }: Published): string {
	const line = (
		label: string,
		{
			requests,
			predicted,
			observed,
			calibration_error,
			area,
			monotone,
		}: Published["overall"] | Published["operators"][number],
	) => [
		label,
		String(requests),
		...[predicted, observed, calibration_error, area].map(decimals),
		monotone ? "yes" : "no",
	];
	return section(
		"Version 3 on days that it had not seen (p_built: built or advancing after 12 months)",
		table(
			["operator", "n", "predicted", "observed", "calibration error", "area", "monotone"],
			[...operators.map((each) => line(each.region, each)), line("all", overall)],
		),
		"",
		table(
			["area since 2024-07", "all pairs", "pairs of one region and day"],
			areas.map(({ outcome, by, all_pairs, pairs_of_one_region }) => [
				`${outcome === "reached" ? "built or advancing" : "kept (built or open)"}, by ${by}`,
				decimals(all_pairs),
				decimals(pairs_of_one_region),
			]),
		),
	);
}
