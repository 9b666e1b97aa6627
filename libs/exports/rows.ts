/** The rows of one file as PostgreSQL writes them, all of one moment, with what is known of that moment. */
import type { ExportFormat } from "#libs/contract/exports.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { disposableSession } from "#libs/postgres/session.ts";
import { asText, type Select } from "./select.ts";

export interface Moment {
	dataVersion: number;
	/** When the data became what this version is. */
	generatedAt: string;
}

export interface Chosen {
	select: Select;
	/** Headers of the answer (`x-...`) that follow from the rows' moment. */
	head?: Record<string, string>;
}

/** Chooses the rows; what it asks of the database is of the same moment. @throws AppError */
export type Choose = (connection: Sql, moment: Moment) => Chosen | Promise<Chosen>;

export interface ExportRows extends AsyncDisposable, Moment {
	head: Record<string, string>;
	/** How many there are. */
	count(): Promise<number>;
	/** The bytes of COPY, as they come, so that memory does not grow with the table. Once. */
	copy(): AsyncIterable<Uint8Array>;
}

const csv = "format csv, header true";
/** JSON as it is: its texts have neither of these characters, which it escapes, so that nothing is quoted. */
const json = "format csv, delimiter E'\\x02', quote E'\\x01'";
const options: Record<ExportFormat, string> = {
	csv,
	"csv.gz": csv,
	parquet: "format text",
	ndjson: json,
	geojson: json,
};

/**
 * On a session of its own, which goes with the reader: a COPY that is broken off cannot be stopped on its connection. When the
 * signal fires, whatever is being read ends.
 */
export async function openRows(
	sql: Sql,
	choose: Choose,
	format: ExportFormat,
	signal: AbortSignal,
): Promise<ExportRows> {
	signal.throwIfAborted();
	await using stack = new AsyncDisposableStack();
	const session = stack.use(await disposableSession(sql));
	const connection = await session.sql.reserve();
	stack.defer(() => connection.release());
	let ended = false;
	const cut = () => (ended ? Promise.resolve() : session.cut());
	const onStop = () => void cut().catch(() => {});
	signal.addEventListener("abort", onStop, { once: true });
	stack.defer(() => signal.removeEventListener("abort", onStop));

	await connection`begin isolation level repeatable read read only`;
	const [known] = await connection<{ version: number; raised_at: string }[]>`
		select version, iso(raised_at) as raised_at from data_version`;
	if (known === undefined) throw new Error("the schema has no data version");
	const moment = { dataVersion: known.version, generatedAt: known.raised_at };
	const chosen = await choose(connection, moment);
	const select = await asText(connection, chosen.select);
	const rest = stack.move();
	return {
		...moment,
		head: chosen.head ?? {},
		async count() {
			const [row] = await connection.unsafe<{ rows: number }[]>(`select count(*) as rows from (${select}) as chosen`);
			return row?.rows ?? 0;
		},
		async *copy() {
			let whole = false;
			try {
				const stream = await connection.unsafe(`copy (${select}) to stdout with (${options[format]})`).readable();
				for await (const chunk of stream) yield chunk as Uint8Array;
				signal.throwIfAborted();
				whole = true;
			} finally {
				if (!whole) await cut();
			}
		},
		async [Symbol.asyncDispose]() {
			await rest.disposeAsync();
			ended = true;
		},
	};
}
