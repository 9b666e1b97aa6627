import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inputs } from "../../../../test/scoring/support/score-inputs.ts";
import {
	chanceIn,
	outcomeColumns,
	outcomeDateOf,
	outcomeDates,
	outcomeOf,
	outcomeStages,
	readOutcomeTable,
	tableOf,
} from "./outcomes.ts";
import { scoreProject } from "./score-project.ts";
import { version3 } from "./versions/3.ts";

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "outcomes-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const counted = { requests: 100, built: 30, advancing: 20, waiting: 40, lost: 10, value: 0.5, low: 0.4, high: 0.6 };
const all = outcomeStages.flatMap((stage) =>
	outcomeDates.map((date) => ({ version: 3, region: "all" as const, stage, date, ...counted })),
);
const text = (rows: readonly object[]): string =>
	`${[outcomeColumns.join(), ...rows.map((row) => outcomeColumns.map((name) => row[name as keyof typeof row]).join())].join("\n")}\n`;

function fileOf(content: string): URL {
	const path = join(folder, "3.outcomes.csv");
	writeFileSync(path, content);
	return pathToFileURL(path);
}

describe("the table of outcomes", () => {
	test("is read as it is written", () => {
		expect(readOutcomeTable(fileOf(text(all)), 3)).toEqual(tableOf(all));
	});

	test.each<[string, string, string]>([
		["no rows", text([]), "is not a whole table"],
		["another head", text(all).replace("requests", "n"), "is not a whole table"],
		["a row that is cut", text(all).slice(0, -8), "is not a whole table"],
		["a cell that is missing", text(all.slice(1)), "is not a whole table"],
		["a share that is none", text(all).replaceAll("0.5", "1.5"), "is not a whole table"],
		["a page", "<html></html>", "is not a whole table"],
		["another version", text(all.map((row) => ({ ...row, version: 4 }))), "is the table of version 4"],
	])("with %s is refused in a sentence", (_, content, sentence) => {
		expect(() => readOutcomeTable(fileOf(content), 3)).toThrow(`3.outcomes.csv ${sentence}`);
	});

	test("that is missing is refused with a message about how to make it", () => {
		expect(() => readOutcomeTable(new URL("none.csv", pathToFileURL(`${folder}/`)), 3)).toThrow(
			"The table none.csv of version 3 of the score cannot be read: `npm run backtest -- --write` makes it.",
		);
	});
});

describe("the chance", () => {
	const few = { ...counted, requests: 19, value: 0.7 };
	const table = tableOf([
		...all,
		{ version: 3, region: "CAISO", stage: "agreement", date: "past", ...counted, value: 0.8 },
		{ version: 3, region: "SPP", stage: "agreement", date: "past", ...few },
	]);

	test("has the basis of the operator from twenty of its requests on, below them the pooled one", () => {
		expect(chanceIn(table, "CAISO", "agreement", "past")).toMatchObject({ value: 0.8, basis: "operator" });
		expect(chanceIn(table, "SPP", "agreement", "past")).toMatchObject({ value: 0.7, basis: "pooled", own: few });
		expect(chanceIn(table, "NYISO", "agreement", "past")).toMatchObject({ value: 0.5, basis: "pooled", own: null });
	});

	test("of inputs stored without a distance is that of all dates ahead", () => {
		const { cod_distance, ...before } = inputs();
		expect(outcomeDateOf(before)).toBe("any");
		expect(outcomeDateOf({ ...before, cod_position: "past" })).toBe("past");
		expect(scoreProject(before, version3).chance).toMatchObject({ date: "any" });
	});
});

describe("the outcome in a later list:", () => {
	const later = (changed: Partial<NonNullable<Parameters<typeof outcomeOf>[0]>>) =>
		outcomeOf({ status: "Active", milestone: "agreement_executed", cod: "2027-01-01", ...changed }, "2026-06-30");

	test.each<[Parameters<typeof later>[0], string]>([
		[{ status: "Operational" }, "built"],
		[{ status: "Withdrawn" }, "lost"],
		[{}, "advancing"],
		[{ cod: null }, "advancing"],
		[{ cod: "2026-06-29" }, "waiting"],
		[{ milestone: "construction", cod: "2026-06-29" }, "advancing"],
		[{ milestone: "facilities_study" }, "waiting"],
		[{ status: "Suspended", milestone: "suspended" }, "waiting"],
	])("%j: %s", (changed, outcome) => {
		expect(later(changed)).toBe(outcome);
	});

	test("a request that it no longer contains is lost", () => {
		expect(outcomeOf(null, "2026-06-30")).toBe("lost");
	});
});

test("version 3: 65 means the same chance in every region, apart from the operator's record", () => {
	const { outcomes } = version3;
	for (const region of ["PJM", "MISO", "ERCOT", "CAISO", "SPP", "ISO-NE"] as const) {
		const request = inputs({ region, credit_rate: 0.3, developer_tier: "unknown" });
		const { score, chance, components } = scoreProject(request, version3);
		const expected = 70 * (chance?.value ?? 0) + 0.05 * components.iso_posture.score + 6 + 10 + 1.5;
		expect(Math.abs(score - expected)).toBeLessThanOrEqual(1);
		expect(Math.abs(0.05 * components.iso_posture.score - 2.5)).toBeLessThan(1);
		expect(outcomes.operators.has(region)).toBe(true);
	}
});

test("version 3: a column that an operator does not publish costs nothing", () => {
	const full = scoreProject(inputs(), version3).score;
	expect(scoreProject(inputs({ poi: false, located: false, queue_age: "unknown" }), version3).score).toBe(full);
});

test("version 3: a late request of CAISO can be investable", () => {
	const request = inputs({ region: "CAISO", milestone: "agreement_executed", cod_distance: "1_to_2_years" });
	expect(scoreProject(request, version3)).toMatchObject({ investable: true, eligible: true });
});
