/** Canonical addresses, which are equal for the same page. Pure. */

export const maxUrlLength = 2_000;

/** Whole names, in lower case, of query parameters that only track how a reader reached the page. */
const trackingNames = new Set(
	[
		"fbclid gclid gclsrc dclid gbraid wbraid msclkid twclid ttclid yclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok",
		"_ga _gl _hsenc _hsmi vero_id oly_anon_id oly_enc_id wickedid cmpid cmp ncid ocid icid s_cid sr_share smid smtyp xtor ftag",
		"ref_src ref_url guccounter guce_referrer guce_referrer_sig soc_src soc_trk tsrc ito partner amp outputtype",
	].flatMap((line) => line.split(" ")),
);
/** Prefixes of other tracking parameters: campaigns of Google and Piwik, HubSpot, the BBC. */
const trackingPrefixes = ["utm_", "pk_", "mtm_", "hsa_", "at_"];

/**
 * Returns a key for comparison, not an address to open: `https://`, the host in lower case without `www.`, `m.` or `amp.`, and no user,
 * default port, fragment, tracking parameter or trailing slash. Null unless `url` is a web address of at most 2,000 characters.
 */
export function canonicalUrl(url: string): string | null {
	const parsed = parseWebUrl(url);
	if (parsed === null) return null;
	const port = parsed.port === "" || parsed.port === "80" || parsed.port === "443" ? "" : `:${parsed.port}`;
	const query = parsed.search
		.slice(1)
		.split("&")
		.filter((pair) => pair !== "" && !isTracking(pair))
		.join("&");
	const path = withoutTrailingSlashes(parsed.pathname);
	const canonical = `https://${bareHost(parsed.hostname)}${port}${path}${query === "" ? "" : `?${query}`}`;
	// Escaping (é > %C3%A9) makes an address longer.
	return canonical.length > maxUrlLength ? null : canonical;
}

/** The host in lower case without `www.`, `m.` or `amp.`. Null unless `url` is a web address. */
export function domainOf(url: string): string | null {
	const parsed = parseWebUrl(url);
	return parsed === null ? null : bareHost(parsed.hostname);
}

/** The address without a user name and a password. Null unless `url` is a web address of the allowed length. */
export function webAddress(url: string): string | null {
	const parsed = parseWebUrl(url);
	if (parsed === null) return null;
	parsed.username = "";
	parsed.password = "";
	return parsed.href.length > maxUrlLength ? null : parsed.href;
}

function parseWebUrl(url: string): URL | null {
	if (url.length > maxUrlLength) return null;
	const parsed = URL.parse(url.trim());
	if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return null;
	return bareHost(parsed.hostname).includes(".") ? parsed : null;
}

/** The host in lower case without `www.`, `m.` or `amp.`, but `m.me` and `amp.dev` unchanged. */
function bareHost(hostname: string): string {
	const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
	return host.replace(/^(?:(?:www\d{0,2}|m|amp)\.)+(?=[^.]+\.)/, "");
}

function isTracking(pair: string): boolean {
	const name = (pair.split("=", 1)[0] ?? "").toLowerCase();
	return trackingNames.has(name) || trackingPrefixes.some((prefix) => name.startsWith(prefix));
}

function withoutTrailingSlashes(path: string): string {
	let end = path.length;
	while (end > 0 && path[end - 1] === "/") end--;
	return path.slice(0, end);
}
