/** Writes the rows of a result as an Arrow IPC stream. Values without a plain Arrow type become text. */
import {
	DuckDBArrayType,
	DuckDBArrayValue,
	DuckDBDateValue,
	DuckDBDecimalType,
	DuckDBDecimalValue,
	DuckDBListType,
	DuckDBListValue,
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
import { type Table as Answered, finiteMicros, plainText } from "./cells.ts";

interface Kind {
	type: DataType;
	/** Converts a value; never called for null. */
	cell(value: DuckDBValue): unknown;
}

const unconverted = (value: DuckDBValue): unknown => value;
const withoutConversion = (type: DataType): Kind => ({ type, cell: unconverted });
const decimal = (precision: number, scale: number): Kind => ({
	type: new Decimal(scale, precision, 128),
	cell: (value) => decimalBits(value instanceof DuckDBDecimalValue ? value.value : BigInt(String(value))),
});
const timestamp = (timezone?: string): Kind => ({
	type: new TimestampMicrosecond(timezone),
	cell: finiteMicros,
});

const kinds: Partial<Record<DuckDBTypeId, Kind>> = {
	[DuckDBTypeId.BOOLEAN]: withoutConversion(new Bool()),
	[DuckDBTypeId.TINYINT]: withoutConversion(new Int8()),
	[DuckDBTypeId.SMALLINT]: withoutConversion(new Int16()),
	[DuckDBTypeId.INTEGER]: withoutConversion(new Int32()),
	[DuckDBTypeId.BIGINT]: withoutConversion(new Int64()),
	[DuckDBTypeId.UTINYINT]: withoutConversion(new Uint8()),
	[DuckDBTypeId.USMALLINT]: withoutConversion(new Uint16()),
	[DuckDBTypeId.UINTEGER]: withoutConversion(new Uint32()),
	[DuckDBTypeId.UBIGINT]: withoutConversion(new Uint64()),
	// HUGEINT is the type of a sum of integers. DuckDB's Arrow export also writes it as this decimal.
	[DuckDBTypeId.HUGEINT]: decimal(38, 0),
	[DuckDBTypeId.FLOAT]: withoutConversion(new Float32()),
	[DuckDBTypeId.DOUBLE]: withoutConversion(new Float64()),
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

/** The 128 bits of a decimal as 32-bit words, the least significant first. */
function decimalBits(value: bigint): Uint32Array {
	const bits = BigInt.asUintN(128, value);
	return Uint32Array.from([0n, 32n, 64n, 96n], (shift) => Number((bits >> shift) & 0xffff_ffffn));
}

export function writeArrow({ names, types, rows }: Answered): Buffer {
	const columns = types.map(kindOf);
	const schema = new Schema(names.map((name, at) => new Field(name, columns[at]?.type ?? new Utf8(), true)));
	const data = columns.map((kind, at) => ({ data: rows.map((row) => cellOf(kind, row[at])) }));
	return Buffer.from(tableToIPC(new Table(schema, rows.length === 0 ? [] : [batchOf(schema, data)]), "stream"));
}
