import { about } from "#libs/contract/about.ts";
import { type Database, databaseOwners } from "#libs/contract/databases.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import type { AskOwners } from "./ask-owners.ts";

/** A load balancer gets 503 when data is missing or its owner does not answer. `minRows`: the setting HEALTH_MIN_ROWS. */
export function getHealth(ask: AskOwners, minRows: string): Handler<"getHealth"> {
	const thresholds = thresholdsOf(minRows);
	return async () => {
		const wanted = describers.filter(({ owner }) => thresholds.some(({ name }) => databaseOwners[name] === owner));
		const parts = await Promise.all(wanted.map(({ owner, operation }) => inTime(ask(operation), owner)));
		const rowsOf = new Map(parts.flatMap(({ databases }) => databases).map(({ name, row_count }) => [name, row_count]));
		for (const { name, least } of thresholds) {
			const rows = rowsOf.get(name) ?? 0;
			if (rows < least) throw new Unhealthy(`${name} holds ${rows} rows, fewer than ${least}`);
		}
		return { json: JSON.stringify(verdict("ok")), dataVersion: 0 };
	};
}

/** Which operation counts the rows of which owner's databases. */
const describers = [
	{ owner: "queue-ingest", operation: "describeDatabases" },
	{ owner: "signals", operation: "describeSignalDatabases" },
	{ owner: "scoring", operation: "describeScoringDatabases" },
] as const;

/** Of `master=1,developer=20`, which the setting's schema has checked. */
function thresholdsOf(minRows: string): { name: Database; least: number }[] {
	return minRows.split(",").map((part) => {
		const [name, least] = part.split("=");
		return { name: name as Database, least: Number(least) };
	});
}

/** A load balancer waits for seconds: an owner that hangs is as good as none. */
const patienceMs = 2_000;

async function inTime<T>(asked: Promise<T>, owner: string): Promise<T> {
	const answered = await within(asked, patienceMs).catch((error: unknown) => {
		throw error instanceof AppError ? new Unhealthy(error.message) : error;
	});
	if (answered === undefined) throw new Unhealthy(`${owner} did not answer in ${patienceMs} ms`);
	return answered.value;
}

const verdict = (status: string): Reply<"getHealth"> => ({
	status,
	version: about.version,
	timestamp: new Date().toISOString(),
});

/** An error like any other, with a `detail`, that still says what a healthy answer says. */
class Unhealthy extends AppError {
	constructor(detail: string) {
		super(503, detail, { retryAfterSeconds: 5 });
	}

	override toJSON() {
		return { ...super.toJSON(), ...verdict("unhealthy") };
	}
}
