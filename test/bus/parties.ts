/** Two ends of the bus: the service queue-ingest and the gateway, each with its own rights; and who may do everything. */
import { type Bus, connectBus, type Log } from "#libs/bus/connect.ts";
import { snapshotApplied } from "#libs/contract/events/queue-ingest.ts";
import { type Handlers, type Json, ownedBy } from "#libs/contract/index.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { password } from "../support/servers.ts";
import { silent } from "../support/silent.ts";

export const schema = "queue_ingest";

export const busOf = (
	url: string,
	service: "queue-ingest" | "gateway" | "operator",
	log: Log = silent,
): Promise<Bus & AsyncDisposable> => connectBus({ url, name: service, user: service, password, log });

export const sqlOf = (url: string): Sql & AsyncDisposable => connect(url, { schema, name: "queue-ingest" });

/** Keeps what is logged as an error. */
export function recordingLog(): Log & { errors: { fields: object; message: string }[] } {
	const errors: { fields: object; message: string }[] = [];
	return { ...silent, errors, error: (fields, message) => errors.push({ fields, message }) };
}

/** Handlers of queue-ingest of which a test needs only some. */
export function handlersWith(some: Partial<Handlers<"queue-ingest">>): Handlers<"queue-ingest"> {
	const missing = () => {
		throw new Error("a handler that this test does not expect to be asked");
	};
	const all = Object.fromEntries(ownedBy("queue-ingest").map((name) => [name, missing]));
	return { ...all, ...some } as Handlers<"queue-ingest">;
}

export const versioned = <R>(json: string, dataVersion = 1) => ({ json: json as Json<R>, dataVersion });

/** A fact of queue-ingest, distinguished by its number. */
export function fact(number: number, id = `fact-${number}`) {
	return {
		id,
		occurred_at: "2026-01-01T00:00:00Z",
		version: 1,
		region: "PJM" as const,
		feed: "queue",
		as_of: "2026-01-01T00:00:00Z",
		rows: number,
		new: 0,
		changed: 0,
		last_seq: 0,
		snapshot_id: 1,
		developer_changes: 0,
	};
}
export { snapshotApplied };
