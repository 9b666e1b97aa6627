/** Finds the county that a text names, by a word such as "County" or by a state after the name. Pure. */
import { findState } from "#libs/counties/table.ts";

const named = /^(.+?)\s+(?:county|parish|borough|census area|municipio)(?:\s*,\s*|\s+|$)(.*)$/i;
const inState = /^([^,]+),(.+)$/;

/** "Kern County", "Harris County, TX", "Bell, Texas": the name alone, and two letters of the state if it is stated. */
export function countyIn(text: string): { county: string; state: string | null } | undefined {
	const whole = text.trim();
	const match = named.exec(whole);
	if (match !== null) {
		const [, county = "", rest = ""] = match;
		if (rest === "") return { county, state: null };
		const state = findState(rest);
		return state === null ? undefined : { county, state: state.state };
	}
	const [, county = "", rest = ""] = inState.exec(whole) ?? [];
	const state = rest === "" ? null : findState(rest);
	return state === null ? undefined : { county: county.trim(), state: state.state };
}
