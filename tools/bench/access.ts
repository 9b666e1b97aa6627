/** The cost of what precedes every answer: keys, limits and usage, and paying for a call. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { freePort, root } from "../../deploy/local/data-dir.ts";
import { schema } from "../../services/billing/migrate.ts";
import { changePlan } from "../../services/billing/tables/accounts.ts";
import { measureAdded } from "./access-added.ts";
import { measureLimiter } from "./access-limiter.ts";
import { measurePayments } from "./access-payments.ts";
import { fill } from "./fill.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

/** The request that all of it is measured on: the gateway answers it from its cache, so authorization is as much of the whole as it can be. */
export const path = "/projects?per_page=1";
const patienceMs = 30_000;

export async function measureAccess(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	await fill(bench, say, 0);
	await using billing = connect(bench.urlOf("billing"), { schema, name: "bench", max: 2, statementTimeoutMs: 0 });
	return [
		...(await measureAdded(bench, billing, say)),
		...(await measureLimiter(bench, say)),
		...(await measurePayments(bench, billing, say)),
	];
}

/** A gateway beside the system's own, in a process of its own. Answers its address. */
export async function launchGateway(
	bench: Bench,
	name: string,
	also: object,
	settings: Record<string, string> = {},
): Promise<string> {
	const port = await freePort();
	bench.launch({
		name,
		program: process.execPath,
		// In production, telemetry is loaded before everything else, too.
		args: [
			...["--import", join(root, "libs", "service", "telemetry.ts")],
			join(import.meta.dirname, "access-gateway.ts"),
			JSON.stringify(also),
		],
		cwd: root,
		env: { ...process.env, ...bench.envOf("gateway"), HEALTH_PORT: "0", PORT: String(port), ...settings },
	});
	const url = `http://127.0.0.1:${port}`;
	await until(`${name} answers`, async () => (await fetch(`${url}/pricing-info`).catch(() => undefined))?.ok ?? false);
	return url;
}

/** A key whose limits no load reaches. */
export async function issueKey(url: string, billing: Sql): Promise<string> {
	const email = `bench-${randomUUID()}@example.org`;
	const response = await fetch(`${url}/register`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ email }),
	});
	const { key } = z.looseObject({ key: z.string() }).parse(await response.json());
	const terms = { plan: "Enterprise" satisfies PlanName, monthlyQueries: 1_000_000_000, perMinute: 1_000_000 } as const;
	await billing.begin((tx) => changePlan(tx, { email }, terms, new Date()));
	return key;
}

/** Writes left over from one turn must not disturb the next. */
export async function quiet(billing: Sql): Promise<void> {
	let before = -1;
	await until("the ledger is quiet", async () => {
		// Longer than usage waits for company on its way.
		await pause(150);
		const [row] = await billing<{ requests: number }[]>`
			select coalesce(sum(requests), 0)::float8 as requests from usage_hours`;
		const same = row?.requests === before;
		before = row?.requests ?? -1;
		return same;
	});
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + patienceMs;
	while (!(await isSo())) {
		if (performance.now() > deadline) throw new Error(`not within ${patienceMs} ms: ${what}`);
		await pause(25);
	}
}
