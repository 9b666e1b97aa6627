/**
 * Writes a Parquet file, one row group at a time. Rows with coordinates also get a point as in GeoParquet 1.1: a column of WKB, with its metadata
 * in the footer.
 */
import { constants, zstdCompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { Column } from "#libs/contract/exports/columns.ts";
import { type Compression, geometryColumn, haveCoordinates } from "#libs/contract/exports/files.ts";
import { type ColumnFile, columnFile, copyText, groupRows } from "./column-file.ts";

export interface ParquetTask {
	/** Name of the schema's root. */
	name: string;
	/** Columns of the rows. If they include `lat` and `lon`, the file also has a column of points. */
	columns: readonly Column[];
	/** Compression of the file's pages; zstd when absent. */
	compression?: Compression | undefined;
	/** Key-value pairs stored in the footer. The same task and rows give the same bytes. */
	metadata: Record<string, string>;
}

const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const codecs = { zstd: "ZSTD", snappy: "SNAPPY" } as const;

export function parquetFile({ name, columns, metadata, compression = "zstd" }: ParquetTask): ColumnFile {
	const writer = new ByteWriter();
	const points = haveCoordinates(columns) ? new Points() : undefined;
	const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
	const parquet = new ParquetWriter({
		writer,
		schema: schemaOf(name, columns, points === undefined ? [] : [geometryElement]),
		codec: codecs[compression],
		compressors: { ZSTD: (page) => zstdCompressSync(page, level) },
		kvMetadata,
		createdBy: "energy-infrastructure-data-service",
	});
	return columnFile(columns, {
		write(group) {
			const columnData: ColumnSource[] = group;
			const cells = (name: string) => group.find((column) => column.name === name)?.data ?? [];
			if (points !== undefined) {
				const data = points.of(cells("lon"), cells("lat"));
				// The minimum and maximum of WKB values are meaningless.
				columnData.push({ name: geometryElement.name, data, statistics: false });
			}
			parquet.write({ columnData, rowGroupSize: groupRows });
			for (const { meta_data } of parquet.row_groups.at(-1)?.columns ?? []) {
				const { statistics = {} } = meta_data ?? {};
				for (const bound of ["min_value", "max_value"] as const) {
					const value = statistics[bound];
					if (typeof value === "string") statistics[bound] = copyText(value);
				}
			}
		},
		finish() {
			// `finish` reads `kvMetadata`. Only now are the bounds of all points known.
			if (points !== undefined) kvMetadata.push({ key: "geo", value: points.metadata() });
			parquet.finish();
		},
		take: () => takeWritten(writer),
	});
}

/** Returns the bytes written since the last call, and frees their memory. */
function takeWritten(writer: ByteWriter): Uint8Array {
	const bytes = writer.getBytes().slice();
	writer.buffer = new ArrayBuffer(1_024);
	writer.view = new DataView(writer.buffer);
	writer.index = 0;
	return bytes;
}

function schemaOf(name: string, columns: readonly Column[], computed: readonly SchemaElement[]): SchemaElement[] {
	return [{ name, num_children: columns.length + computed.length }, ...columns.flatMap(elements), ...computed];
}

function elements({ name, type, nullable }: Column): SchemaElement[] {
	const repetition_type = nullable ? "OPTIONAL" : "REQUIRED";
	if (type !== "list") return [{ name, repetition_type, ...physical[type] }];
	return [
		{ name, repetition_type, converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
		{ name: "list", repetition_type: "REPEATED", num_children: 1 },
		{ name: "element", repetition_type: "REQUIRED", ...physical.string },
	];
}

const physical: Record<Exclude<Column["type"], "list">, Omit<SchemaElement, "name">> = {
	string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
	double: { type: "DOUBLE" },
	int32: { type: "INT32" },
	int64: { type: "INT64" },
	boolean: { type: "BOOLEAN" },
	date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
	timestamp: {
		type: "INT64",
		converted_type: "TIMESTAMP_MILLIS",
		logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
	},
};

/** The column of points. It has no logical type: that is for Parquet's own geometries (GeoParquet 2.0). */
const geometryElement: SchemaElement = {
	name: geometryColumn.name,
	type: "BYTE_ARRAY",
	repetition_type: "OPTIONAL",
};

const pointBytes = 21;
const littleEndian = 1;
const pointType = 1;

class Points {
	/** West, south, east and north, in degrees; undefined while no row has a point. */
	#bbox: [number, number, number, number] | undefined;

	/** Returns the points as WKB, null for a row without both coordinates (degrees, WGS 84). */
	of(lons: readonly unknown[], lats: readonly unknown[]): (Uint8Array | null)[] {
		return lons.map((lon, at) => {
			const lat = lats[at];
			return typeof lon === "number" && typeof lat === "number" ? this.#point(lon, lat) : null;
		});
	}

	#point(lon: number, lat: number): Uint8Array {
		const [west, south, east, north] = this.#bbox ?? [lon, lat, lon, lat];
		this.#bbox = [Math.min(west, lon), Math.min(south, lat), Math.max(east, lon), Math.max(north, lat)];
		const bytes = Buffer.alloc(pointBytes);
		bytes.writeUInt8(littleEndian, 0);
		bytes.writeUInt32LE(pointType, 1);
		bytes.writeDoubleLE(lon, 5);
		bytes.writeDoubleLE(lat, 13);
		return bytes;
	}

	/** Value of the footer's key `geo` for all points so far. It has no `crs`, which means OGC:CRS84: longitude, then latitude. */
	metadata(): string {
		const bbox = this.#bbox === undefined ? {} : { bbox: this.#bbox };
		const column = { encoding: "WKB", geometry_types: ["Point"], ...bbox };
		return JSON.stringify({
			version: "1.1.0",
			primary_column: geometryColumn.name,
			columns: { [geometryColumn.name]: column },
		});
	}
}
