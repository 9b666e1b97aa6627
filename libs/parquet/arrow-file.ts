/** Writes an Arrow IPC stream, one record batch at a time. */
import {
	AsyncByteQueue,
	Bool,
	type Data,
	DataType,
	DateDay,
	Field,
	Float64,
	Int32,
	Int64,
	List,
	makeData,
	RecordBatch,
	RecordBatchStreamWriter,
	Schema,
	Struct,
	TimestampMillisecond,
	Utf8,
	vectorFromArray,
} from "apache-arrow";
import type { Column } from "#libs/contract/exports/columns.ts";
import { type Cell, type ColumnFile, columnFile } from "./column-file.ts";

export interface ArrowTask {
	columns: readonly Column[];
	/** Key-value pairs stored in the schema. The same task and rows give the same bytes. */
	metadata: Record<string, string>;
}

export function arrowFile({ columns, metadata }: ArrowTask): ColumnFile {
	const fields = columns.map(
		({ name, type, nullable, unit }) =>
			new Field(name, types[type], nullable, unit === null ? undefined : new Map([["unit", unit]])),
	);
	const schema = new Schema(fields, new Map(Object.entries(metadata)));
	const written = new WrittenBytes();
	const writer = new RecordBatchStreamWriter().reset(written, schema);
	return columnFile(columns, {
		write: (group) => writer.write(batchOf(schema, group)),
		finish: () => writer.finish(),
		take: () => written.take(),
	});
}

/** Creates a batch from columns of equal length. Days are counted from 1970; times are in the unit of their type. */
export function batchOf(schema: Schema, columns: readonly { data: readonly unknown[] }[]): RecordBatch {
	const children = schema.fields.map(({ type }, at) => dataOf(type, columns[at]?.data ?? []));
	const length = columns[0]?.data.length ?? 0;
	return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

function dataOf(type: DataType, values: readonly unknown[]): Data {
	if (type instanceof List) return listData(type, values as readonly (readonly unknown[] | null)[]);
	// Arrow's builders take days and times as milliseconds, and would truncate more precise times, so the stored integers are used.
	const stored = type instanceof DateDay ? new Int32() : DataType.isTimestamp(type) ? new Int64() : type;
	const [data = makeData({ type: stored, length: 0 })] = vectorFromArray(values as Cell[], stored).data;
	return data.clone(type) as Data;
}

function listData(type: List, values: readonly (readonly unknown[] | null)[]): Data {
	const valueOffsets = new Int32Array(values.length + 1);
	for (const [at, items] of values.entries()) valueOffsets[at + 1] = (valueOffsets[at] ?? 0) + (items?.length ?? 0);
	const items = values.flatMap((each) => each ?? []);
	// The validity bitmap of a list has the same bits as a column of booleans.
	const valid = dataOf(
		new Bool(),
		values.map((each) => each !== null),
	);
	return makeData({
		type,
		length: values.length,
		nullCount: values.filter((each) => each === null).length,
		nullBitmap: valid.values as Uint8Array,
		valueOffsets,
		child: dataOf(type.valueType, items),
	});
}

const types: Record<Column["type"], DataType> = {
	string: new Utf8(),
	double: new Float64(),
	int32: new Int32(),
	int64: new Int64(),
	boolean: new Bool(),
	date: new DateDay(),
	timestamp: new TimestampMillisecond("UTC"),
	list: new List(new Field("item", new Utf8(), false)),
};

/** Collects the bytes that the writer has written, so that they can be taken synchronously. */
class WrittenBytes extends AsyncByteQueue {
	#chunks: Uint8Array[] = [];

	override write(chunk: Uint8Array): void {
		this.#chunks.push(chunk);
	}

	take(): Uint8Array {
		const bytes = new Uint8Array(Buffer.concat(this.#chunks));
		this.#chunks = [];
		return bytes;
	}
}
