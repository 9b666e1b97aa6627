import { describe, expect, it } from "vitest";
import { type AppliedList, type Candidate, type FiledDeveloper, judgeTransfers } from "./queue-transfers.ts";

const filed = (name: string | null, more: Partial<FiledDeveloper> = {}): FiledDeveloper => ({
	name,
	canonical: null,
	parent: null,
	known: false,
	...more,
});
const curated = (name: string, parent: string | null = null) => filed(name, { canonical: name, parent, known: true });

let projects = 0;
const flip = (from: FiledDeveloper, to: FiledDeveloper, more: Partial<Candidate> = {}): Candidate => ({
	projectId: `PJM-${projects++}`,
	status: "Active",
	isGeneration: true,
	isCorrection: false,
	from,
	to,
	...more,
});

const judge = (candidates: Candidate[], more: Partial<AppliedList> = {}) =>
	judgeTransfers({ rows: 1_000, candidates, isStillFiled: () => true, isInNews: () => false, ...more });

const [heron, osprey] = [curated("Heron Energy"), curated("Osprey Power")];

describe("a change of developer", () => {
	it("between two known developers is a deal of medium confidence, or high if a headline names both", () => {
		expect(judge([flip(heron, osprey)]).deals).toMatchObject([{ from: heron, to: osprey, confidence: "medium" }]);
		const isInNews = (seller: string, buyer: string) => seller === "Heron Energy" && buyer === "Osprey Power";
		expect(judge([flip(heron, osprey)], { isInNews }).deals).toMatchObject([{ confidence: "high" }]);
		expect(judge([flip(osprey, heron)], { isInNews }).deals).toMatchObject([{ confidence: "medium" }]);
	});

	it("from or to a project company is a deal of low confidence", () => {
		expect(judge([flip(filed("Granada Solar, LLC"), filed("Hawthorn Solar, LLC"))]).deals).toMatchObject([
			{ confidence: "low" },
		]);
		const named = filed("Hawthorn Solar, LLC", { canonical: "Hawthorn Solar" });
		expect(judge([flip(heron, named)], { isInNews: () => true }).deals).toMatchObject([{ confidence: "low" }]);
	});

	it.each([
		["a name where none was", filed(null), heron],
		["no name where one was", heron, filed("")],
		["a name withheld", heron, filed("Confidential")],
		["another spelling", filed("HERON ENERGY, LLC"), filed("Heron Energy LLC")],
		["an alias", filed("Heron Old", { ...heron, name: "Heron Old" }), heron],
		["a sister company", curated("Heron Wind", "Heron Corp"), curated("Heron Solar", "Heron Corp")],
		["the next project company of a family", filed("Blue Jay Solar I LLC"), filed("Blue Jay Solar II LLC")],
	])("is not a deal: %s", (_, from, to) => {
		expect(judge([flip(from, to)])).toEqual({ deals: [], heldDeals: [], renames: [] });
	});

	it("of a withdrawn project, of a load request, or in a correction is not a deal", () => {
		const none = [{ status: "Withdrawn" }, { isGeneration: false }, { isCorrection: true }];
		expect(judge(none.map((more) => flip(heron, osprey, more))).deals).toEqual([]);
	});
});

describe("a list", () => {
	const flips = (count: number) => Array.from({ length: count }, (_, at) => flip(filed(`Heron ${at} Inc`), osprey));

	it("with changes in more than 2 % of its rows has its deals held back", () => {
		expect(judge(flips(20)).deals).toHaveLength(20);
		const wave = judge(flips(21));
		expect(wave.deals).toEqual([]);
		expect(wave.heldDeals).toHaveLength(21);
	});

	it("of few rows is held back only if at least five changed", () => {
		expect(judge(flips(4), { rows: 20 }).deals).toHaveLength(4);
		expect(judge(flips(5), { rows: 20 }).heldDeals).toHaveLength(5);
	});

	it("counts every change of developer, also from blank", () => {
		const filled = Array.from({ length: 20 }, () => flip(filed(null), osprey));
		expect(judge([...filled, flip(heron, osprey)]).heldDeals).toHaveLength(1);
	});
});

describe("a rename", () => {
	const five = Array.from({ length: 5 }, (_, at) =>
		flip(filed(at === 0 ? "Heron Energy LLC" : "Heron Energy, LLC"), filed("Kestrel Power"), {
			status: at < 2 ? "Withdrawn" : "Active",
		}),
	);
	const gone = { isStillFiled: () => false };

	it("is assumed if five projects change to the same name on one day and the old name is gone: one candidate, no deals", () => {
		const { deals, renames } = judge(five, gone);
		expect(deals).toEqual([]);
		expect(renames).toHaveLength(1);
		expect(renames[0]).toMatchObject({ from: "Heron Energy LLC", to: "Kestrel Power" });
		expect(renames[0]?.projectIds).toHaveLength(5);
	});

	it("is not assumed while a project still has the old name, or for four projects", () => {
		expect(judge(five)).toMatchObject({ renames: [], deals: { length: 3 } });
		expect(judge(five.slice(1), gone)).toMatchObject({ renames: [], deals: { length: 3 } });
	});

	it("does not affect other deals of the day", () => {
		expect(judge([...five, flip(heron, osprey)], gone).deals).toHaveLength(1);
	});
});
