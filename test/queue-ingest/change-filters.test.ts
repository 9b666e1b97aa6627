/** Changes are filtered by what their requests are now, over days and as a log. */
import { expect, test } from "vitest";
import { operations, type ParamsInput } from "#libs/contract/index.ts";
import { misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const rows = [
	{ number: "J101", state: "TX", county: "Harris", summer: 100, winter: 100 },
	{ number: "J102", state: "LA", county: "Caddo", fuel: "Wind", facility: "Wind Turbine", summer: 200, winter: 200 },
	{ number: "J103", state: "IA", county: "O'Brien", summer: 300, winter: 300 },
	{ number: "J104", state: "TX", county: "Bell" },
];

const queue: Queue = sharedQueue(async () => {
	const rest = standing(60);
	await queue.take("MISO", "2026-03-01T12:00:00Z", misoJson([...rows, ...rest]));
	const changed = rows.map((row) => ({ ...row, negotiated: "2029-01-01", poi: `${row.number} Moved` }));
	await queue.take("MISO", "2026-03-05T12:00:00Z", misoJson([...changed, ...rest]));
	for (const [at, day] of ["08", "14"].entries())
		await queue.take("MISO", `2026-03-${day}T12:00:00Z`, misoJson([...changed.slice(0, 3), ...rest.slice(at)]));
	await queue.sql`update projects set energy_community_eligible = id = 'MISO-J101' where id in ('MISO-J101', 'MISO-J102')`;
	queue.now = "2026-03-15T12:00:00Z";
});

async function log(params: ParamsInput<"listChanges"> & { after: number }) {
	const found = await queue.ask("listChanges", params);
	if (!("next" in found)) throw new Error("a page of days, not of the log");
	return found;
}

/** Numbers of the requests that changed. */
const numbers = (data: { queue_id: string | null }[]) =>
	[...new Set(data.map(({ queue_id }) => queue_id ?? ""))].sort();

const all = ["J101", "J102", "J103", "J104"];

test.each<[ParamsInput<"listChanges">, string[]]>([
	[{}, all],
	[{ region: "MISO,PJM" }, all],
	[{ region: "PJM,SPP" }, []],
	[{ change_type: "cod_change,status_change" }, all],
	[{ change_type: "status_change" }, []],
	[{ state: "TX,la" }, ["J101", "J102", "J104"]],
	[{ county: "Harris County" }, ["J101"]],
	[{ fips: "48201,19141" }, ["J101", "J103"]],
	[{ fuel_type: "wind" }, ["J102"]],
	[{ id: "MISO-J102,MISO-J103" }, ["J102", "J103"]],
	[{ id: "MISO-J102,MISO-J103", project_id: "MISO-J103" }, ["J103"]],
	[{ q: "j103 mov" }, ["J103"]],
	[{ poi: "moved", capacity_min: 200 }, ["J102", "J103"]],
	[{ poi: "tap" }, []],
	[{ bbox: "-96,29,-95,31" }, ["J101"]],
	[{ lat: 43, lon: -95.6, radius_km: 30 }, ["J103"]],
	// J104 has disappeared, so its status is unknown.
	[{ status: "Active", construction_stage: "early,mid" }, ["J101", "J102", "J103"]],
	[{ developer_id: "1" }, []],
	[{ listed: "listed" }, ["J101", "J102", "J103"]],
	[{ listed: "disappeared" }, ["J104"]],
	[{ energy_community: true }, ["J101"]],
	[{ energy_community: false }, ["J102"]],
])("%j", async (params, expected) => {
	const { data, total } = await queue.changes({ since_days: 90, per_page: 500, ...params });
	expect([numbers(data), total]).toEqual([expected, data.length]);
	expect(numbers((await log({ per_page: 500, ...params, after: 0 })).data)).toEqual(expected);
});

test("changes of status are filtered by the standard status before and after them", async () => {
	const status = (word: string) =>
		misoJson([...rows.slice(0, 3).map((row) => ({ ...row, status: word })), ...standing(60)]);
	const days = ["2026-03-16", "2026-03-17", "2026-03-18"];
	for (const [at, word] of ["Active", "Withdrawn", "Active"].entries())
		await queue.take("MISO", `${days[at]}T12:00:00Z`, status(word));
	queue.now = "2026-03-19T12:00:00Z";
	const found = async (params: ParamsInput<"listChanges">) => {
		const { data, total } = await queue.changes({ since_days: 90, per_page: 500, ...params });
		expect([total, data.every(({ field_name }) => field_name === "status")]).toEqual([data.length, true]);
		const later = await log({ per_page: 500, ...params, after: 0 });
		expect(later.data.map(({ seq }) => seq)).toEqual(data.map(({ seq }) => seq).sort((a, b) => a - b));
		return data.map(({ queue_id, detected_at }) => `${queue_id} ${detected_at.slice(8, 10)}`).sort();
	};
	const withdrawn = ["J101 17", "J102 17", "J103 17"];
	expect(await found({ change_type: "withdrawal" })).toEqual(withdrawn);
	expect(await found({ change_type: "withdrawal", state: "TX" })).toEqual(["J101 17"]);
	expect(await found({ old_status_std: "Active", new_status_std: "withdrawn" })).toEqual(withdrawn);
	expect(await found({ old_status_std: "Withdrawn" })).toEqual(["J101 18", "J102 18", "J103 18"]);
	expect(await found({ new_status_std: "Suspended,Operational" })).toEqual([]);
	const kinds = await queue.changes({ since_days: 90, per_page: 500, change_type: "withdrawal,cod_change" });
	expect([...new Set(kinds.data.map(({ change_type }) => change_type))].sort()).toEqual([
		"cod_change",
		"status_change",
	]);
});

test("a filtered log continues from its last change", async () => {
	const { data: whole } = await log({ after: 0, per_page: 500, state: "TX" });
	expect(whole.length).toBeGreaterThan(2);
	const read: typeof whole = [];
	for (let after = 0; ; ) {
		const { data, next } = await log({ after, per_page: 1, state: "TX" });
		if (data.length === 0) break;
		read.push(...data);
		after = next;
	}
	expect(read).toEqual(whole);
});

test("contradictory filters, and filters that changes do not have, are refused", () => {
	for (const params of [{ lat: 1 }, { capacity_min: 2, capacity_max: 1 }, { population: "all" }, { change_type: "x" }])
		expect(operations.listChanges.params.safeParse(params).success).toBe(false);
});
