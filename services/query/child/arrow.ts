/** The rows of an answer as a stream of Arrow (IPC): values without a plain Arrow type are text. */
import {
	DuckDBArrayType,
	DuckDBArrayValue,
	DuckDBDateValue,
	DuckDBDecimalType,
	DuckDBDecimalValue,
	DuckDBListType,
	DuckDBListValue,
	DuckDBTimestampTZValue,
	DuckDBTimestampValue,
	type DuckDBType,
	DuckDBTypeId,
	type DuckDBValue,
} from "@duckdb/node-api";
import {
	Bool,
	type DataType,
	DateDay,
	Decimal,
	Field,
	Float32,
	Float64,
	Int8,
	Int16,
	Int32,
	Int64,
	List,
	Schema,
	Table,
	TimestampMicrosecond,
	tableToIPC,
	Uint8,
	Uint16,
	Uint32,
	Uint64,
	Utf8,
} from "apache-arrow";
import { batchOf } from "#libs/parquet/arrow-file.ts";
import { type Table as Answered, plainText } from "./cells.ts";

interface Kind {
	type: DataType;
	/** Never called for null. */
	cell(value: DuckDBValue): unknown;
}

const same = (value: DuckDBValue): unknown => value;
const plain = (type: DataType): Kind => ({ type, cell: same });
const decimal = (precision: number, scale: number): Kind => ({
	type: new Decimal(scale, precision, 128),
	cell: (value) => words(value instanceof DuckDBDecimalValue ? value.value : BigInt(String(value))),
});
const timestamp = (timezone?: string): Kind => ({
	type: new TimestampMicrosecond(timezone),
	cell: (value) => {
		const finite = (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) && value.isFinite;
		return finite ? value.micros : null;
	},
});

const kinds: Partial<Record<DuckDBTypeId, Kind>> = {
	[DuckDBTypeId.BOOLEAN]: plain(new Bool()),
	[DuckDBTypeId.TINYINT]: plain(new Int8()),
	[DuckDBTypeId.SMALLINT]: plain(new Int16()),
	[DuckDBTypeId.INTEGER]: plain(new Int32()),
	[DuckDBTypeId.BIGINT]: plain(new Int64()),
	[DuckDBTypeId.UTINYINT]: plain(new Uint8()),
	[DuckDBTypeId.USMALLINT]: plain(new Uint16()),
	[DuckDBTypeId.UINTEGER]: plain(new Uint32()),
	[DuckDBTypeId.UBIGINT]: plain(new Uint64()),
	// The type of a sum of integers. DuckDB's own Arrow has the same.
	[DuckDBTypeId.HUGEINT]: decimal(38, 0),
	[DuckDBTypeId.FLOAT]: plain(new Float32()),
	[DuckDBTypeId.DOUBLE]: plain(new Float64()),
	[DuckDBTypeId.DATE]: {
		type: new DateDay(),
		cell: (value) => (value instanceof DuckDBDateValue && value.isFinite ? value.days : null),
	},
	[DuckDBTypeId.TIMESTAMP]: timestamp(),
	[DuckDBTypeId.TIMESTAMP_TZ]: timestamp("UTC"),
};

function kindOf(type: DuckDBType): Kind {
	if (type instanceof DuckDBDecimalType) return decimal(type.width, type.scale);
	if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
		const item = kindOf(type.valueType);
		return {
			type: new List(new Field("item", item.type, true)),
			cell: (value) =>
				value instanceof DuckDBListValue || value instanceof DuckDBArrayValue
					? value.items.map((each) => cellOf(item, each))
					: null,
		};
	}
	const kind = type.alias === undefined ? kinds[type.typeId] : undefined;
	return kind ?? { type: new Utf8(), cell: (value) => plainText(value, type) };
}

const cellOf = (kind: Kind, value: DuckDBValue | undefined): unknown =>
	value === null || value === undefined ? null : kind.cell(value);

/** The 128 bits of a decimal, lowest word first. */
function words(value: bigint): Uint32Array {
	const bits = BigInt.asUintN(128, value);
	return Uint32Array.from([0n, 32n, 64n, 96n], (shift) => Number((bits >> shift) & 0xffff_ffffn));
}

export function writeArrow({ names, types, rows }: Answered): Buffer {
	const columns = types.map(kindOf);
	const schema = new Schema(names.map((name, at) => new Field(name, columns[at]?.type ?? new Utf8(), true)));
	const data = columns.map((kind, at) => ({ data: rows.map((row) => cellOf(kind, row[at])) }));
	return Buffer.from(tableToIPC(new Table(schema, rows.length === 0 ? [] : [batchOf(schema, data)]), "stream"));
}
