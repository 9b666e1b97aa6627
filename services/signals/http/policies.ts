/** How often each publisher may be asked. The rates are theirs where they state one, and ours elsewhere. */

export interface Policy {
	/** Hosts that count together share a name. */
	name: string;
	/** Requests a second in the long run, over all replicas. */
	perSecond: number;
	/** Requests at once after a pause. */
	burst: number;
	/** Pause (ms) after the host said that it was asked too often. */
	coolDownMs: number;
	/** Set where a 403 that does not say this only means that there is no such file (a day without filings). */
	refusal?: RegExp;
}

/** SEC: at most 10 a second a user, summed over all machines; beyond it an address is refused for about ten minutes. */
const sec: Policy = {
	name: "sec.gov",
	perSecond: 8,
	burst: 8,
	coolDownMs: 600_000,
	refusal: /threshold|automated tool|blocked/i,
};
/** GDELT's API: "Please limit requests to one every 5 seconds." */
const gdeltApi: Policy = { name: "api.gdeltproject.org", perSecond: 1 / 6, burst: 1, coolDownMs: 900_000 };
const gdeltFiles: Policy = { name: "data.gdeltproject.org", perSecond: 2, burst: 2, coolDownMs: 300_000 };
/** The storage behind it answers when the publisher's own address does not: a refusal of the one says nothing of the other. */
const gdeltMirror: Policy = { ...gdeltFiles, name: "storage.googleapis.com" };

/** Of a URL's host. A host that states no limit gets one request in two seconds. */
export function policyOf(host: string): Policy {
	if (host === "sec.gov" || host.endsWith(".sec.gov")) return sec;
	if (host === gdeltApi.name) return gdeltApi;
	if (host === gdeltFiles.name) return gdeltFiles;
	if (host === gdeltMirror.name) return gdeltMirror;
	return { name: host, perSecond: 0.5, burst: 1, coolDownMs: 600_000 };
}
