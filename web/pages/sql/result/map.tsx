/**
 * A result on a map of the United States: points at coordinates, or counties or states colored by a number. The atlas is in the Albers projection.
 */

import { useEffect, useMemo, useState } from "preact/hooks";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import {
	MapFrame,
	type Named,
	PlacesMap,
	shapePath,
	stateBorders,
	stateShapes,
} from "../../../lib/charts/places-map.tsx";
import { Choice } from "../../../lib/elements/fields.tsx";
import { count, safeText } from "../../../lib/text/format.ts";
import type { Cell, Column, Result } from "../run.ts";
import { isNumeric, numberOf, textOf } from "./cells.ts";

export interface MapProps {
	result: Result;
	places: Places;
}

export function ResultMap({ result, places }: MapProps) {
	const { lat, lon } = places;
	const isOfPoints = lat !== undefined && lon !== undefined;
	const numbers = result.columns.flatMap((column, place) =>
		isNumeric(column) && place !== lat && place !== lon ? [place] : [],
	);
	const [chosen, setChosen] = useState(0);
	const value = numbers[chosen];
	return (
		<>
			{numbers.length > 1 && (
				<div class="choices">
					<Choice
						label={isOfPoints ? "Size" : "Shade"}
						value={String(chosen)}
						set={(option) => setChosen(Number(option))}
						options={numbers.map((place, option) => [String(option), safeText(result.columns[place]?.name ?? "", 60)])}
					/>
				</div>
			)}
			{isOfPoints ? (
				<Points result={result} at={[lon, lat]} value={value} />
			) : (
				<Areas result={result} places={places} value={value} />
			)}
		</>
	);
}

interface Drawn {
	result: Result;
	value: number | undefined;
}

/** The tooltip of a shape: the texts and the number in its row. */
const titleOf = (columns: Column[], row: Cell[], value: number | undefined): string =>
	columns
		.flatMap((column, place) =>
			place === value || !isNumeric(column) ? [safeText(textOf(row[place] ?? null), 80)] : [],
		)
		.filter((text) => text !== "")
		.slice(0, 5)
		.join(" · ");

function Points({ result: { columns, rows }, at: [lon, lat], value }: Drawn & { at: [number, number] }) {
	const precision = columns.findIndex(({ name }) => name === "location_precision");
	const max = Math.max(1, ...rows.map((row) => (value === undefined ? 1 : numberOf(row[value]) || 0)));
	const places = rows.map((row) => {
		const size = value === undefined ? 0.3 : Math.max(0, numberOf(row[value]) || 0) / max;
		const known = row[precision];
		return {
			...{ lon: numberOf(row[lon]), lat: numberOf(row[lat]), size, title: titleOf(columns, row, value) },
			isVague: known === "county" || known === "state",
		};
	});
	const name = value === undefined ? undefined : safeText(columns[value]?.name ?? "", 60);
	return <PlacesMap places={places} note={name && `The area grows with ${name}, up to ${count(max)}.`} />;
}

function Areas({ result: { columns, rows }, places, value }: Drawn & { places: Places }) {
	const shapes = useShapes(places.county !== undefined);
	const by = places.county ?? places.state ?? 0;
	const byArea = useMemo(() => new Map(rows.map((row) => [textOf(row[by] ?? null), row])), [rows, by]);
	if (shapes === undefined) return <p>Loading the boundaries…</p>;
	if (value === undefined) return <p>A map of areas needs a column of numbers.</p>;
	const max = Math.max(...rows.map((row) => numberOf(row[value]) || 0), Number.MIN_VALUE);
	const drawn = shapes.flatMap(({ code, d }) => {
		const row = byArea.get(code);
		const number = numberOf(row?.[value]);
		return row === undefined || !Number.isFinite(number) ? [] : [{ code, d, row, share: Math.max(0, number) / max }];
	});
	const what = safeText(columns[value]?.name ?? "", 60);
	return (
		<>
			<MapFrame label={`${what} of ${count(drawn.length)} areas; the rows are in the table`}>
				{drawn.map(({ code, d, row, share }) => (
					<path key={code} class="area" d={d} fill-opacity={0.12 + 0.88 * Math.sqrt(share)}>
						<title>{titleOf(columns, row, value)}</title>
					</path>
				))}
				<path class="border" d={stateBorders} />
			</MapFrame>
			<p class="soft">
				{count(drawn.length)} of {count(rows.length)} rows have an area on this map; the stronger the color, the more{" "}
				{what}, up to {count(max)}.
			</p>
		</>
	);
}

interface Shape {
	code: string;
	d: string;
}

/** The shapes of counties or states; undefined until the boundaries are loaded. */
function useShapes(isOfCounties: boolean): Shape[] | undefined {
	const [shapes, setShapes] = useState<Shape[] | undefined>(() =>
		isOfCounties ? undefined : shapesOf(stateShapes, stateShapes.objects.states, (id) => stateCodes[id] ?? id),
	);
	useEffect(() => {
		if (!isOfCounties || shapes !== undefined) return;
		void import("us-atlas/counties-albers-10m.json").then(({ default: counties }) => {
			const ofCounties = counties as unknown as Topology<{ counties: Named }>;
			setShapes(shapesOf(ofCounties, ofCounties.objects.counties, (id) => id));
		});
	}, [isOfCounties]);
	return shapes;
}

const shapesOf = (topology: Topology, areas: Named, codeOf: (id: string) => string): Shape[] =>
	feature(topology, areas).features.map((area) => ({ code: codeOf(String(area.id)), d: shapePath(area) ?? "" }));

/** Postal codes by FIPS code: the atlas identifies states by FIPS code, results by postal code. */
const stateCodes: Readonly<Record<string, string>> = Object.fromEntries(
	(
		"01 AL 02 AK 04 AZ 05 AR 06 CA 08 CO 09 CT 10 DE 11 DC 12 FL 13 GA 15 HI 16 ID 17 IL 18 IN 19 IA 20 KS 21 KY 22 LA 23 ME 24 MD " +
		"25 MA 26 MI 27 MN 28 MS 29 MO 30 MT 31 NE 32 NV 33 NH 34 NJ 35 NM 36 NY 37 NC 38 ND 39 OH 40 OK 41 OR 42 PA 44 RI 45 SC 46 SD " +
		"47 TN 48 TX 49 UT 50 VT 51 VA 53 WA 54 WV 55 WI 56 WY"
	)
		.match(/\d\d [A-Z]{2}/g)
		?.map((pair) => pair.split(" ") as [string, string]) ?? [],
);

export interface Places {
	lat?: number;
	lon?: number;
	/** Index of the column of FIPS codes (five digits). */
	county?: number;
	/** Index of the column of postal codes (two letters). */
	state?: number;
}
