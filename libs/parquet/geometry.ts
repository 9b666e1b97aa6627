/** The points of rows in GeoParquet 1.1: a column of WKB, and its metadata in the footer. */
import type { SchemaElement } from "hyparquet";
import { geometryColumn } from "#libs/contract/exports/files.ts";

/** Has no logical type, because that would mark a geometry of Parquet itself (GeoParquet 2.0). */
export const geometryElement: SchemaElement = {
	name: geometryColumn.name,
	type: "BYTE_ARRAY",
	repetition_type: "OPTIONAL",
};

const pointBytes = 21;
const littleEndian = 1;
const pointType = 1;

export class Points {
	/** West, south, east and north, in degrees; undefined while no row has a point. */
	#bbox: [number, number, number, number] | undefined;

	/** Degrees, WGS 84. A row without both has no point. */
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

	/** Value of the footer's key `geo`, for all points so far. Without `crs`, coordinates are OGC:CRS84: longitude, then latitude. */
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
