/** The content of a stream, as an operator sees it. */
import { jetstream } from "@nats-io/jetstream";
import type { Bus } from "#libs/bus/connect.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { publish, wakeRelay } from "#libs/postgres/events/outbox.ts";
import { fact, snapshotApplied } from "./parties.ts";

const stream = "QUEUE_INGEST";

/** A cluster that has no leader at the moment answers nothing: it is soon asked anew. */
const options = { timeout: 2_000 };

/** `bus`: of the operator. */
export async function countStored(bus: Bus): Promise<number> {
	const manager = await jetstream(bus.nats, options).jetstreamManager(false);
	return (await manager.streams.info(stream)).state.messages;
}

/** The `rows` of all facts in the stream, in its order. */
export async function numbersStored(bus: Bus): Promise<number[]> {
	const count = await countStored(bus);
	if (count === 0) return [];
	const consumer = await jetstream(bus.nats, options).consumers.get(stream);
	const numbers: number[] = [];
	for await (const message of await consumer.fetch({ max_messages: count, expires: 10_000 }))
		numbers.push(message.json<{ rows: number }>().rows);
	return numbers;
}

/** Commits the facts `from` to `to - 1`, in one transaction. */
export async function commitFacts(sql: Sql, from: number, to: number): Promise<void> {
	await sql.begin(async (tx) => {
		for (let number = from; number < to; number++) await publish(tx, snapshotApplied, fact(number));
		await wakeRelay(tx);
	});
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
