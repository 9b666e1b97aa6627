/** Two of CAISO's workbooks: every cell that differs is in the feed with include=raw, and nothing else, by a reader of another make. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import { type OtherSheet, otherSheets } from "./support/other-reader.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

type Change = Reply<"listProjectChanges">["data"][number];
/** Request, column as filed, what was there and what is. */
type Difference = [id: string, column: string, from: string | null, to: string | null];

const workbooks = [
	["2025-08-11", "caiso/weekly/publicqueuereport-08112025.xlsx"],
	["2025-12-27", "caiso/2025-12-27/publicqueuereport.xlsx"],
	["2026-01-05", "caiso/weekly/publicqueuereport-01052026.xlsx"],
	["2026-07-20", "caiso/weekly/publicqueuereport-07202026.xlsx"],
] as const;

/** The column whose cell a change of such a field shows as it is. */
const columnOf: Readonly<Record<string, string>> = {
	status: "Application Status",
	capacity_mw: "Net MWs to Grid",
	cod: "Current On-line Date",
	actual_cod: "Actual On-line Date",
	withdrawn_date: "Withdrawn Date",
	ia_status_filed: "Interconnection Agreement Status",
	name: "Project Name",
	poi: "Station or Transmission Line",
	cluster: "Study Process",
	county: "County",
	state: "State",
};
/** Fields that are made of several cells: each of those is in the feed itself. */
const made = new Set(["components", "type_std", "study_phase"]);

const plain = (text: string | undefined) => text?.replace(/\s+/g, " ").trim() || undefined;
const isDay = (column: string) => /\bdate$/i.test(column) || /^proposed on-line date/i.test(column);
/** One heading of two sheets. */
const oneName = (column: string) => (column === "Project Name - Confidential" ? "Project Name" : column);

function stated(column: string, text: string): string {
	if (isDay(column) && /^\d{5}(\.\d+)?$/.test(text))
		return new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(text)) * 86_400_000).toISOString().slice(0, 10);
	if (!/^-?\d+(\.\d+)?([eE]-?\d+)?$/.test(text)) return text;
	// `capacity_mw` has three decimals.
	return String(column === columnOf.capacity_mw ? Math.round(Number(text) * 1000) / 1000 : Number(text));
}

/** Every cell of every request, by number and heading, in the order of precedence of the sheets. */
function requestsOf(path: string): Map<string, Map<string, string>> {
	const requests = new Map<string, Map<string, string>>();
	const sheets = otherSheets(join(realData, path));
	const named = (part: string) => [...sheets].find(([name]) => name.toLowerCase().includes(part))?.[1];
	for (const sheet of ["completed", "withdrawn", "generationqueue"].map(named))
		for (const [number, cells] of rowsOf(sheet)) if (!requests.has(number)) requests.set(number, cells);
	return requests;
}

function rowsOf(sheet: OtherSheet | undefined): [string, Map<string, string>][] {
	if (sheet === undefined) throw new Error("a sheet is missing");
	const header = [...sheet.values()].find((row) => [...row.values()].some((text) => plain(text) === "Queue Position"));
	const columns = new Map([...(header ?? [])].map(([at, text]) => [at, oneName(plain(text) ?? at)]));
	return [...sheet.values()].flatMap((row): [string, Map<string, string>][] => {
		if (row === header || [...row.values()].filter((text) => plain(text) !== undefined).length < 4) return [];
		const cells = new Map<string, string>();
		for (const [at, text] of row) {
			const column = columns.get(at) ?? at;
			const filed = plain(text);
			if (filed !== undefined) cells.set(column, stated(column, filed));
		}
		const number = cells.get("Queue Position");
		return number === undefined ? [] : [[number, cells]];
	});
}

function differencesOf(before: string, after: string): Difference[] {
	const [old, now] = [requestsOf(before), requestsOf(after)];
	return [...now].flatMap(([number, cells]) => {
		const was = old.get(number);
		if (was === undefined) return [];
		return [...new Set([...was.keys(), ...cells.keys()])].flatMap((column): Difference[] => {
			const [from = null, to = null] = [was.get(column), cells.get(column)];
			return from === to ? [] : [[`CAISO-${number.toUpperCase()}`, column, from, to]];
		});
	});
}

const columnOfChange = ({ change_type, field_name }: Change): string =>
	oneName(change_type === "raw_update" ? (field_name ?? "") : (columnOf[field_name ?? ""] ?? `field ${field_name}`));

const cellOf = (change: Change) => `${change.project_id} ${columnOfChange(change)}`;

const compared = (differences: readonly Difference[]) =>
	differences.map((one) => JSON.stringify(one).toLowerCase()).toSorted();

describeReal("CAISO's real workbooks", ["caiso"], () => {
	const ends: number[] = [];
	const queue: Queue = sharedQueue(async () => {
		for (const [day, path] of workbooks) {
			const file = { ...readReal(path), name: path };
			expect(await queue.take("CAISO", day, file, { accept: true })).toMatchObject({
				outcome: "applied",
				reason: null,
			});
			ends.push(await queue.lastSeq());
		}
	});

	/** The changes of a list, as a reader of the log gets them. */
	async function changesOf(list: number, include?: "raw"): Promise<Change[]> {
		const found: Change[] = [];
		for (let after = ends[list - 1] ?? 0; ; ) {
			const page = await queue.ask("listChanges", { after, per_page: 500, ...(include && { include }) });
			if (!("next" in page)) throw new Error("a page of days");
			found.push(...page.data.filter(({ seq }) => seq <= (ends[list] ?? 0)));
			if (page.data.length === 0 || page.next >= (ends[list] ?? 0)) return found;
			after = page.next;
		}
	}

	test.each([1, 2, 3])(
		"every differing cell, and nothing else, is in the feed with include=raw (list %i)",
		async (list) => {
			const filed = differencesOf(workbooks[list - 1]?.[1] ?? "", workbooks[list]?.[1] ?? "");
			const changes = await changesOf(list, "raw");
			const now = requestsOf(workbooks[list]?.[1] ?? "");
			for (const { project_id, change_type } of changes)
				if (change_type === "disappeared") expect([...now.keys()]).not.toContain(project_id?.replace("CAISO-", ""));
			const ofCells = changes.filter(
				({ change_type, field_name }) =>
					change_type !== "new_project" && change_type !== "disappeared" && !made.has(field_name ?? ""),
			);
			const raw = new Set(ofCells.filter(({ change_type }) => change_type === "raw_update").map(cellOf));
			const published = ofCells
				// A county by its official name stands beside its cell, where the two are not spelled alike.
				.filter((change) => change.change_type === "raw_update" || !raw.has(cellOf(change)))
				.map((change): Difference => {
					const column = columnOfChange(change);
					const [from, to] = [change.old_value, change.new_value].map((text) => text && stated(column, text));
					return [change.project_id ?? "", column, from ?? null, to ?? null];
				});
			expect(filed.length).toBeGreaterThan(0);
			expect(compared(published)).toEqual(compared(filed));
		},
	);

	test("yield the same feed without raw cells, whose cursor skips them", async () => {
		const all = await changesOf(3, "raw");
		const plainFeed = await changesOf(3);
		expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => (ends[2] ?? 0) + 1 + at));
		expect(plainFeed).toEqual(all.filter(({ change_type }) => change_type !== "raw_update"));
		expect(plainFeed.length).toBeLessThan(all.length);
		const last = await queue.ask("listChanges", { after: plainFeed.at(-1)?.seq ?? 0 });
		expect(last).toMatchObject({ data: [], next: ends[3] });
	});

	test("state the parts of a hybrid with their megawatts, and report a change of a part", async () => {
		const [change] = (await changesOf(3)).filter(
			({ change_type, project_id }) => change_type === "component_change" && project_id === "CAISO-1135",
		);
		const filed = requestsOf(workbooks[3][1]).get("1135");
		const parts = [1, 2, 3].flatMap((n) => filed?.get(`MW-${n}`) ?? []).map(Number);
		const { components } = await queue.ask("getProject", { project_id: "CAISO-1135" });
		expect(parts.length).toBeGreaterThan(1);
		expect(components.map(({ capacity_mw }) => capacity_mw)).toEqual(parts);
		expect(JSON.parse(change?.new_value ?? "null")).toEqual(components);
		const { components: then } = await queue.ask("getProject", { project_id: "CAISO-1135", as_of: "2026-02-01" });
		expect(JSON.parse(change?.old_value ?? "null")).toEqual(then);
		const origin = await queue.ask("getProjectProvenance", { project_id: "CAISO-1135", field: "components" });
		const cells = origin.data.flatMap(({ raw, header, inputs }) => [{ raw, header }, ...inputs]);
		for (const [at, megawatts] of parts.entries())
			expect(cells).toContainEqual(expect.objectContaining({ header: `MW-${at + 1}`, raw: String(megawatts) }));
	});

	test("are exported with the parts as JSON, and changes with raw cells on request", async () => {
		const csv = await queue.export({ region: "CAISO", fields: "id,components", id: "CAISO-1135" });
		expect(csv).toContain('[{""type_std"": ');
		const after = ends[2] ?? 0;
		const types = async (include?: "raw") =>
			new Set(
				(await queue.file("exportChanges", { after, fields: "seq,change_type", ...(include && { include }) }))
					.split("\n")
					.map((line) => line.split(",").at(-1)?.trim()),
			);
		expect([...(await types("raw"))]).toContain("raw_update");
		expect([...(await types())]).not.toContain("raw_update");
	});
});
