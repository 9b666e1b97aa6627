/** Lists of energy communities for tests of places. */
import type { EnergyCommunityList, Location, References } from "../../../services/scoring/domain/places.ts";
import { lookUpListings } from "../../../services/scoring/domain/places.ts";

type Listed = EnergyCommunityList["counties"] extends ReadonlyMap<string, infer T> ? T : never;
export const yes: Listed = { statistical: true, area: null, note: null };
const no: Listed = { ...yes, statistical: false };

/** 06037, 54045 and both parts of Valdez-Cordova qualify; every other county does not. Coal tracts in 54045 and 56023. */
export const whole: EnergyCommunityList = {
	notice: "2026-39",
	validFrom: "2026-06-10",
	complete: true,
	counties: new Map<string, Listed>([
		["06037", { ...yes, area: "Los Angeles-Long Beach-Anaheim, CA" }],
		["54045", yes],
		["02063", yes],
		["02066", yes],
		["09003", yes],
		["66000", yes],
		["48201", { ...yes, note: "second-hand" }],
	]),
	coalNotice: "2026-39",
	coalComplete: true,
	coalTracts: new Set(["54045956900", "56023978400", "56023978500", "09009350100"]),
	coalCounties: new Map([
		["54045", 1],
		["56023", 2],
	]),
};
const noTracts = {
	coalNotice: null,
	coalComplete: false,
	coalTracts: new Set<string>(),
	coalCounties: new Map(),
};
export const old: EnergyCommunityList = { ...whole, notice: "2024-48", validFrom: "2024-06-07", ...noTracts };
export const sample: EnergyCommunityList = {
	...whole,
	notice: "2026-39 (sample of 2 counties)",
	complete: false,
	coalComplete: false,
	coalNotice: "2026-39 (sample of 2 counties)",
	counties: new Map([
		["06037", yes],
		["12011", no],
		["56023", no],
	]),
	coalCounties: new Map([
		["06037", 0],
		["12011", 0],
		["54045", 1],
		["56023", 1],
	]),
};
/** The whole county list of 2024, and of coal-closure tracts the sample alone. */
export const both: EnergyCommunityList = { ...sample, ...statisticalOnly(old) };
function statisticalOnly({ notice, validFrom, complete, counties }: EnergyCommunityList) {
	return { notice, validFrom, complete, counties };
}
export const empty: References = { energyCommunities: null, lowIncome: null };
export const at = (energyCommunities: EnergyCommunityList | null, where: Location) =>
	lookUpListings({ ...empty, energyCommunities }, where).energyCommunity;
