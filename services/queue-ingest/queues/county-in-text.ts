/** Finds the county in a text by a word such as "County" or by a state after the name. Pure. */
import { findState } from "#libs/counties/table.ts";

const nameBeforeWord = /^(.+?)\s+(?:county|parish|borough|census area|municipio)(?:\s*,\s*|\s+|$)(.*)$/i;
const nameBeforeState = /^([^,]+),(.+)$/;

/** Splits "Kern County", "Harris County, TX" and "Bell, Texas" into the county's name and, if a state is given, the state's two letters. */
export function readCountyName(text: string): { county: string; state: string | null } | undefined {
	const whole = text.trim();
	const match = nameBeforeWord.exec(whole);
	if (match !== null) {
		const [, county = "", rest = ""] = match;
		if (rest === "") return { county, state: null };
		const state = findState(rest);
		return state === null ? undefined : { county, state: state.state };
	}
	const [, county = "", rest = ""] = nameBeforeState.exec(whole) ?? [];
	const state = rest === "" ? null : findState(rest);
	return state === null ? undefined : { county: county.trim(), state: state.state };
}
