/** A receiver that fails every third delivery, while what lies between it and the log is killed in turn: it has the whole log, and with its rows the list. */
import { expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { type Constellation, startConstellation } from "../faults/system/constellation.ts";
import { issueKeys } from "../faults/system/trial.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
import { eventually } from "../support/eventually.ts";
import { expectRebuilt, readProjects } from "../support/rebuilt.ts";
import { expectWhole, openReceiver } from "./support/receiver.ts";

/** Processes that are killed in turn: the dispatcher, NATS, PostgreSQL, the log's owner and the gateway. */
const kills: ((system: Constellation) => Promise<void>)[] = [
	async ({ workers }) => workers.subscriptions.kill(),
	async ({ engines }) => {
		await engines.nats.kill();
		await engines.nats.start();
	},
	async ({ engines }) => {
		await engines.postgres.killFirst();
		await engines.postgres.start();
	},
	async ({ workers }) => workers["queue-ingest"].kill(),
	async ({ workers }) => workers.gateway.kill(),
];

const withinMs = 120_000;

/** Lists after each of which something is killed. */
const rounds = 100;

test("a receiver that fails every third delivery gets each change in order through a hundred kills of every process before it", async () => {
	const settings = { WEBHOOKS_ALLOW_PRIVATE: "true", WEBHOOK_RETRY_MS: "50", WEBHOOK_TIMEOUT_MS: "3000" };
	await using system = await startConstellation({ settings });
	await using receiver = await openReceiver();
	receiver.answer = (_, at) => ({ status: at % 3 === 0 ? 500 : 200 });
	await using sql = connect(system.roleUrl("queue-ingest"), { schema: "queue_ingest", name: "lists", max: 2 });
	await list(sql, 0);
	const { unlimited: key } = await issueKeys(system);
	const made = await post(system, key, { url: receiver.url, after: 0 });
	receiver.secret = made.secret;
	for (let round = 1; round <= rounds; round++) {
		const before = receiver.taken.length;
		await list(sql, round);
		await eventually(() => receiver.taken.length > before, { withinMs });
		await kills[round % kills.length]?.(system);
	}
	const numbers = await eventually(() => numbersOf(sql), { withinMs });
	const last = numbers.at(-1) ?? 0;
	while (!receiver.taken.some(({ data }) => data.seq === last)) {
		// However much waits behind attempts that failed, it goes on.
		const before = receiver.taken.length;
		await eventually(() => receiver.taken.length > before, { withinMs });
	}
	expectWhole(receiver, numbers);
	const projects = await eventually(() => readProjects(system.url, { "x-api-key": key }), { withinMs });
	expectRebuilt(
		receiver.taken.map(({ data }) => data),
		projects,
	);
	const types = receiver.taken.map(({ data }) => data.change_type);
	expect([...new Set(types)].sort()).toEqual(madeTypes.toSorted());
	console.log(JSON.stringify({ changes: last, attempts: receiver.arrived.length, requests: projects.length }));
});

/** Types of changes that the rounds make. */
const madeTypes = [
	...["first_listed", "new_project", "status_change", "capacity_change", "cod_change", "study_phase_change"],
	...["field_update", "disappeared"],
];

/** The list of a round: requests change in one thing each, one withdraws, one leaves, and each third round one comes. */
function rowsOf(round: number): MisoRow[] {
	const mw = (number: number) => 100 + ((round + number) % 7);
	return [
		...[1, 2].map((number) => ({ number: `J10${number}`, summer: mw(number), winter: mw(number) })),
		{ number: "J103", ...(round > 3 && { status: "Withdrawn", withdrawn: "2026-02-01" }) },
		{ number: "J104", inService: `20${30 + (round % 5)}-06-01` },
		{ number: "J105", phase: `Phase ${1 + (round % 3)}` },
		{ number: "J106", county: ["Logan", "Sangamon", "Macon"][round % 3] ?? "" },
		...(round < 2 ? [{ number: "J107" }] : []),
		...Array.from({ length: Math.floor(round / 3) }, (_, at) => ({ number: `J2${String(at).padStart(2, "0")}` })),
		...standing(25),
	];
}

async function list(sql: Sql, round: number): Promise<void> {
	const file = misoJson(rowsOf(round));
	const asOf = new Date(Date.UTC(2026, 2, 1) + round * 18 * 3_600_000).toISOString();
	const files = [{ ...file, path: file.name }];
	await eventually(
		async () => {
			const taken = await ingestSnapshot(sql, { region: "MISO", files, asOf, accept: true, now: () => new Date(asOf) });
			return ["applied", "unchanged"].includes(taken.outcome);
		},
		{ withinMs, everyMs: 200 },
	);
}

/** The changes that webhooks are sent: all but raw ones. */
async function numbersOf(sql: Sql): Promise<number[]> {
	const rows = await sql<{ seq: number }[]>`select seq from changes where change_type <> 'raw_update' order by seq`;
	return rows.map(({ seq }) => seq);
}

async function post(
	{ url }: Constellation,
	key: string,
	body: object,
): Promise<{ webhook_id: number; secret: string }> {
	return eventually(async () => {
		const headers = { "content-type": "application/json", "x-api-key": key };
		const response = await fetch(`${url}/webhooks`, { method: "POST", headers, body: JSON.stringify(body) });
		if (!response.ok) throw new Error(await response.text());
		return (await response.json()) as { webhook_id: number; secret: string };
	});
}
