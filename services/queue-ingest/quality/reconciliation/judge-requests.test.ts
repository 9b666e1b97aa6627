import { describe, expect, it } from "vitest";
import { judgeRequests } from "./judge-requests.ts";
import type { ListedRequest, OurRequest } from "./line.ts";
import { sumLines } from "./sum-lines.ts";

const ours = (number: string, more: Partial<OurRequest> = {}): OurRequest => ({
	id: `CAISO-${number}`,
	keys: [number],
	kind: "generation",
	name: `Tern ${number}`,
	typeStd: "Solar",
	status: "Active",
	statusBasis: "filed",
	statusFlag: null,
	listed: "listed",
	mw: 100,
	summerMw: null,
	winterMw: null,
	partsMw: null,
	isForRights: false,
	queueDate: "2019-04-01",
	actualCod: null,
	withdrawnDate: null,
	...more,
});
const theirs = (number: string, more: Partial<ListedRequest> = {}): ListedRequest => ({
	id: `CAISO/${number}`,
	key: number,
	name: `TERN ${number}`,
	status: "Active",
	mw: 100,
	parts: 1,
	queueDate: "2019-04-01",
	...more,
});
const judged = (
	one: OurRequest[],
	other: ListedRequest[],
	{ known = [], listDay = "2023-12-31" }: { known?: OurRequest[]; listDay?: string } = {},
) =>
	judgeRequests({ edition: "2023-12-31", listDay, listsOnlyOpen: false, ours: one, known, theirs: other }).map(
		({ ours: [a], theirs: [b], rule, method }) => [a?.id ?? null, b?.id ?? null, rule, method ?? null],
	);
const ruleOf = (one: Partial<OurRequest>, other: Partial<ListedRequest>, listDay = "2023-12-31") =>
	judged([ours("1", one)], [theirs("1", other)], { listDay })[0]?.[2];

describe("a request in both lists", () => {
	it("agrees if capacities differ by less than a rounded megawatt", () => {
		expect(ruleOf({ mw: 99.6 }, {})).toBe("agrees");
		expect(ruleOf({ mw: 98.9 }, {})).toBe("capacity_differs");
	});

	it("differs in status because of a dated event, or of the days between the lists", () => {
		expect(ruleOf({ status: "Withdrawn", withdrawnDate: "2024-02-01" }, {}, "2024-07-01")).toBe("ended_after_edition");
		expect(ruleOf({ status: "Operational" }, {}, "2024-07-01")).toBe("moved_between");
		expect(ruleOf({}, { status: "Withdrawn" }, "2020-11-19")).toBe("moved_between");
		expect(ruleOf({ status: "Withdrawn" }, {}, "2020-11-19")).toBe("status_differs");
		expect(ruleOf({ status: "Operational" }, {})).toBe("status_differs");
		expect(ruleOf({ status: "Operational", statusFlag: "retired" }, { status: "Withdrawn" })).toBe("retired");
		expect(ruleOf({ statusBasis: null }, { status: "Operational" })).toBe("operator_silent");
		expect(ruleOf({}, { status: "Operational" })).toBe("operator_says_open");
	});

	it("differs in capacity because the two count differently", () => {
		expect(ruleOf({ typeStd: "Solar + Storage" }, { mw: 200, parts: 2 })).toBe("parts_of_hybrid");
		expect(ruleOf({ summerMw: 120 }, { mw: 120 })).toBe("other_rating");
		expect(ruleOf({ partsMw: 130 }, { mw: 130 })).toBe("gross_capacity");
		expect(ruleOf({ name: "Tern Uprate", mw: 10 }, { mw: 900 })).toBe("whole_plant");
		expect(ruleOf({ name: "Tern Addition", mw: 10 }, { mw: 900 })).toBe("whole_plant");
		expect(ruleOf({ id: "PJM-1", isForRights: true, mw: 9 }, { mw: null })).toBe("capacity_rights");
		expect(ruleOf({ id: "PJM-1", isForRights: true, mw: 9 }, { mw: 776 })).toBe("capacity_rights");
		expect(ruleOf({}, { mw: null })).toBe("capacity_not_stated");
	});

	it("has the rule of the greater difference if status and capacity differ", () => {
		expect(ruleOf({ status: "Operational", mw: 50 }, { parts: 2, mw: 100 })).toBe("status_differs");
	});
});

describe("numbers", () => {
	it("of several requests are assigned to the best match", () => {
		const parts = [ours("7", { id: "a", name: "Tern Unit 2", mw: 20 }), ours("7", { id: "b", name: "Tern Unit 1" })];
		expect(judged(parts, [theirs("7", { name: "Tern Unit 1" })])).toEqual([
			["b", "CAISO/7", "agrees", "number"],
			["a", null, "part_of_number", null],
		]);
	});

	it("that are equal by chance do not match; a name with its day does", () => {
		const other = theirs("7", { name: "Kite Cable", queueDate: "2001-08-24", mw: 1200 });
		const kite = ours("9", { name: "Kite Cable", queueDate: "2001-08-20", mw: 1200 });
		expect(judged([ours("7"), kite], [other])).toEqual([
			["CAISO-9", "CAISO/7", "agrees", "name_and_date"],
			["CAISO-7", null, "not_in_edition", null],
		]);
	});
});

describe("a request missing from one list", () => {
	it("has its known reason", () => {
		const known = [ours("3", { listed: "disappeared" }), ours("4", { kind: "transmission" }), ours("5")];
		expect(
			judged(
				[ours("1", { queueDate: "2024-01-02" }), ours("2")],
				["3", "4", "5", "6"].map((n) => theirs(n)),
				{ known },
			),
		).toEqual([
			["CAISO-1", null, "filed_after_edition", null],
			["CAISO-2", null, "not_in_edition", null],
			[null, "CAISO/3", "left_the_list", null],
			[null, "CAISO/4", "no_generation", null],
			[null, "CAISO/5", "listed_later", null],
			[null, "CAISO/6", "not_in_list", null],
		]);
	});
});

describe("the sums", () => {
	it("equal both sides in every status, although a pair counts under two", () => {
		const lines = judgeRequests({
			edition: "2023-12-31",
			listDay: "2024-07-01",
			listsOnlyOpen: false,
			ours: [ours("1", { mw: 0.1 }), ours("2", { mw: 0.2, status: "Withdrawn" }), ours("3", { mw: 0.7 })],
			known: [],
			theirs: [theirs("1", { mw: 0.3 }), theirs("2", { mw: 0.2 }), theirs("9", { mw: 5 })],
		});
		const summed = sumLines(lines);
		expect(summed.ours).toEqual({ records: 3, capacity_mw: 1 });
		expect(summed.theirs).toEqual({ records: 3, capacity_mw: 5.5 });
		expect(summed.statuses.map(({ status, ours: a, theirs: b }) => [status, a.records, b.records])).toEqual([
			["Active", 2, 3],
			["Withdrawn", 1, 0],
		]);
		expect(summed.statuses[1]?.reasons).toEqual([
			{
				class: "timing",
				rule: "moved_between",
				ours: { records: 1, capacity_mw: 0.2 },
				theirs: { records: 0, capacity_mw: 0 },
			},
		]);
	});

	it("of unexplained requests are the difference; with two statuses, the larger capacity", () => {
		const of = (one: Partial<OurRequest>, other: Partial<ListedRequest>) =>
			sumLines(
				judgeRequests({
					edition: "2023-12-31",
					listDay: "2023-12-31",
					listsOnlyOpen: false,
					ours: [ours("1", one)],
					known: [],
					theirs: [theirs("1", other)],
				}),
			);
		expect(of({ mw: 60 }, {})).toMatchObject({ unexplained_mw: 40, unexplained_share: 0.4 });
		expect(of({ status: "Operational" }, {})).toMatchObject({ unexplained_mw: 100, unexplained_share: 1 });
	});
});
