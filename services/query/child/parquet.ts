/** Writes the rows of a result as a Parquet file. Values without a plain Parquet type become text. */
import { constants, zstdCompressSync } from "node:zlib";
import { DuckDBDateValue, type DuckDBType, DuckDBTypeId, type DuckDBValue } from "@duckdb/node-api";
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";
import { finiteMicros, plainText, type Table } from "./cells.ts";

type Cell = string | number | bigint | boolean | Date | null;

interface Kind {
	type: BasicType;
	cell(value: DuckDBValue): Cell;
}

const unconverted = (value: DuckDBValue): Cell => value as Cell;
const dayMs = 86_400_000;

const kinds: Partial<Record<DuckDBTypeId, Kind>> = {
	[DuckDBTypeId.BOOLEAN]: { type: "BOOLEAN", cell: unconverted },
	[DuckDBTypeId.TINYINT]: { type: "INT32", cell: unconverted },
	[DuckDBTypeId.SMALLINT]: { type: "INT32", cell: unconverted },
	[DuckDBTypeId.INTEGER]: { type: "INT32", cell: unconverted },
	[DuckDBTypeId.UTINYINT]: { type: "INT32", cell: unconverted },
	[DuckDBTypeId.USMALLINT]: { type: "INT32", cell: unconverted },
	[DuckDBTypeId.BIGINT]: { type: "INT64", cell: unconverted },
	[DuckDBTypeId.FLOAT]: { type: "FLOAT", cell: unconverted },
	[DuckDBTypeId.DOUBLE]: { type: "DOUBLE", cell: unconverted },
	[DuckDBTypeId.DATE]: {
		type: "TIMESTAMP",
		cell: (value) => (value instanceof DuckDBDateValue && value.isFinite ? new Date(value.days * dayMs) : null),
	},
	[DuckDBTypeId.TIMESTAMP]: { type: "TIMESTAMP", cell: timestampCell },
	[DuckDBTypeId.TIMESTAMP_TZ]: { type: "TIMESTAMP", cell: timestampCell },
};

/** Truncates a timestamp to milliseconds. Infinity becomes null. */
function timestampCell(value: DuckDBValue): Cell {
	const micros = finiteMicros(value);
	return micros === null ? null : new Date(Number(micros / 1_000n));
}

const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function writeParquet({ names, types, rows }: Table): Buffer {
	const columnData = names.map((name, index) => {
		const type = types[index] as DuckDBType;
		const kind = type.alias === undefined ? kinds[type.typeId] : undefined;
		const cell = kind?.cell ?? ((value: DuckDBValue) => plainText(value, type));
		const data = rows.map((row) => {
			const value = row[index] ?? null;
			return value === null ? null : cell(value);
		});
		return { name, data, type: kind?.type ?? ("STRING" as const) };
	});
	return Buffer.from(
		parquetWriteBuffer({
			columnData,
			codec: "ZSTD",
			compressors: { ZSTD: (page) => zstdCompressSync(page, zstdOptions) },
		}),
	);
}
