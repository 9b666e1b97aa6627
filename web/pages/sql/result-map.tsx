/** A result on a map of the United States: points by their coordinates, or states or counties by a number. */
import type { Column, Result } from "./run.ts";
import { useLoaded } from "./use-loaded.ts";

export interface Places {
	/** Places of the columns. */
	lat?: number;
	lon?: number;
	/** Five digits. */
	county?: number;
	/** Two letters. */
	state?: number;
}

const nameIs = (columns: Column[], pattern: RegExp): number | undefined => {
	const place = columns.findIndex(({ name }) => pattern.test(name));
	return place === -1 ? undefined : place;
};

/** Undefined where no column says where. */
export function placesOf(columns: Column[]): Places | undefined {
	const lat = nameIs(columns, /^lat(itude)?$/i);
	const lon = nameIs(columns, /^(lon|lng|longitude)$/i);
	if (lat !== undefined && lon !== undefined) return { lat, lon };
	const county = nameIs(columns, /^(county_)?fips$/i);
	if (county !== undefined) return { county };
	const state = nameIs(columns, /^state$/i);
	return state === undefined ? undefined : { state };
}

/** The map and its boundaries are loaded when they are first needed. */
export function ResultMap({ result }: { result: Result }) {
	const { part, failed } = useLoaded(() => import("./map.tsx"));
	const places = placesOf(result.columns);
	if (places === undefined)
		return (
			<p>
				A map needs the columns <code>lat</code> and <code>lon</code>, or a number by <code>fips</code> or{" "}
				<code>state</code>.
			</p>
		);
	if (failed) return <p class="failure">The map could not be loaded: open the page again.</p>;
	if (part === undefined) return <p>Loading the map.</p>;
	return <part.MapOf result={result} places={places} />;
}
