/** Which columns of a result say where its rows are. */
import type { Column } from "./run.ts";

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
