import { describe, expect, it } from "vitest";
import type { Region, Status } from "../../libs/contract/vocabulary.ts";
import { standardise } from "../../services/queue-ingest/queues/standardise.ts";
import { unfiled } from "../../services/queue-ingest/sources/table-fields.ts";
import { creditThen } from "./law-then.ts";
import type { Listed } from "./lists.ts";
import { fatesOf } from "./outcomes.ts";
import { inOperatorsWords } from "./queued-up.ts";
import { grid, totals, wholePoints } from "./samples.ts";

function request(number: string, statusStd: Status, more: Partial<Listed> = {}): Listed {
	const evidence = { stage: "early", basis: "active-only", contradictory: false } as const;
	const filed = { ...unfiled, number, typeStd: "Solar", statusStd, evidence, raw: {} };
	return { ...standardise(filed, { operator: null, asOf: "2020-12-31T00:00:00Z" }), key: number, filed: null, ...more };
}

describe("what became of a request", () => {
	const then = ["A1", "A2", "A3", "A4", "A5"].map((number) => request(number, "Active"));
	const later = [
		request("A1", "Operational"),
		request("A2", "Withdrawn"),
		request("A3", "Suspended"),
		request("A4", "Active"),
	];
	const fates = (region: Region, ...lists: Listed[][]) => fatesOf(region, then, then, lists);

	it("is read from the later list, and is lost if a list that keeps finished requests no longer shows it", () => {
		expect(fates("PJM", later)).toEqual(["built", "lost", "open", "open", "lost"]);
	});

	it("is unknown if ERCOT no longer shows it: its list drops built and cancelled requests", () => {
		expect(fates("ERCOT", later)).toEqual(["built", "lost", "open", "open", "unknown"]);
		expect(fates("ERCOT", later, [request("A4", "Withdrawn")])).toEqual([
			"built",
			"lost",
			"unknown",
			"lost",
			"unknown",
		]);
	});

	it("stays finished, whatever a newer list says", () => {
		expect(fates("PJM", later, [request("A1", "Active")])[0]).toBe("built");
	});

	it("is found for each of two requests that share a number, by their names", () => {
		const pair = [request("7", "Active", { name: "Phase I" }), request("7", "Active", { name: "Phase II" })];
		const newer = [request("7", "Withdrawn", { name: "Phase II" }), request("7", "Operational", { name: "Phase I" })];
		expect(fatesOf("ISO-NE", pair, pair, [newer])).toEqual(["built", "lost"]);
	});
});

describe("the operator's words in Berkeley Lab's file", () => {
	it("tell the study where the file cleaned it away", () => {
		const filed = request("J1", "Active", { iaStatusFiled: "PHASE 3" });
		expect(inOperatorsWords(filed, "MISO")).toMatchObject({ studyPhase: "Facilities", constructionStage: "mid" });
	});

	it("say nothing of the studies where they are of the agreement", () => {
		const filed = request("900", "Active", { iaStatusFiled: "Not Started" });
		expect(inOperatorsWords(filed, "CAISO")).toMatchObject({ studyPhase: null, studyPhaseFiled: null });
		expect(inOperatorsWords(filed, "PJM")).toMatchObject({ studyPhase: "Not Started" });
	});

	it("are refused where they are unknown", () => {
		expect(() => inOperatorsWords(request("1", "Active", { iaStatusFiled: "Perhaps" }), "SPP")).toThrow("Perhaps");
	});
});

describe("tax credit under the law of the day", () => {
	const credit = (type_std: string, cod: string | null, today: string) =>
		creditThen({ type_std, cod } as Parameters<typeof creditThen>[0], today);

	it("stepped down for the sun in 2020, and was none for a battery alone", () => {
		expect(credit("Solar", "2023-06-01", "2020-12-31")).toMatchObject({ effectiveRate: 0.26, type: "ITC" });
		expect(credit("Solar", "2027-06-01", "2020-12-31").effectiveRate).toBe(0.1);
		expect(credit("Storage", null, "2020-12-31")).toEqual({ effectiveRate: 0, conditional: false, type: null });
		expect(credit("Solar + Storage", null, "2020-12-31").effectiveRate).toBe(0.26);
	});

	it("was 30 % in 2024 for what emits nothing, and none for gas", () => {
		expect(credit("Storage", "2031-01-01", "2024-07-01").effectiveRate).toBe(0.3);
		expect(credit("Wind", null, "2024-07-01").type).toBe("PTC");
		expect(credit("Gas", null, "2024-07-01").type).toBeNull();
	});
});

describe("weights", () => {
	it("are searched in every step of 0.05, none below it", () => {
		expect(grid).toHaveLength(3876);
		for (const weights of grid) {
			const values = Object.values(weights);
			expect(values.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
			expect(Math.min(...values)).toBeGreaterThanOrEqual(0.05);
		}
	});

	it("make the totals that the product rounds", () => {
		const columns = {
			milestone_progress: [70],
			iso_posture: [57],
			tax_credit_value: [60],
			deal_cleanliness: [85],
			developer_tier: [30],
		};
		const weights = {
			milestone_progress: 0.45,
			iso_posture: 0.15,
			tax_credit_value: 0.15,
			deal_cleanliness: 0.15,
			developer_tier: 0.1,
		};
		const twentieths = totals({ columns, positive: [true] }, weights);
		expect(twentieths).toEqual([1296]);
		expect(wholePoints(twentieths)).toEqual([65]);
	});
});
