/** The publishers' addresses, and how often each may be requested. */

export interface Hosts {
	/** SEC's own site: filings, indexes, the feed of the latest filings. */
	sec: string;
	data: string;
	search: string;
	/** Two addresses of GDELT's bulk files: the publisher's site, and the storage behind it, which does not throttle. */
	gkg: readonly string[];
	gdelt: string;
	feeds: readonly Feed[];
}

export interface Feed {
	/** The `source` of its articles. */
	name: string;
	url: string;
}

export const hosts: Hosts = {
	sec: "https://www.sec.gov",
	data: "https://data.sec.gov",
	search: "https://efts.sec.gov",
	gkg: ["http://data.gdeltproject.org/gdeltv2/", "https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/"],
	gdelt: "https://api.gdeltproject.org",
	feeds: [
		{ name: "utilitydive.com", url: "https://www.utilitydive.com/feeds/news/" },
		{ name: "pv-magazine-usa.com", url: "https://pv-magazine-usa.com/feed/" },
		{ name: "energy-storage.news", url: "https://www.energy-storage.news/feed/" },
		{ name: "powermag.com", url: "https://www.powermag.com/feed/" },
		{ name: "canarymedia.com", url: "https://www.canarymedia.com/rss" },
		{ name: "renewableenergyworld.com", url: "https://www.renewableenergyworld.com/feed/" },
		{ name: "renewablesnow.com", url: "https://renewablesnow.com/rss/" },
		{ name: "datacenterdynamics.com", url: "https://www.datacenterdynamics.com/en/rss/" },
		{ name: "eia.gov", url: "https://www.eia.gov/rss/todayinenergy.xml" },
		{ name: "tdworld.com", url: "https://www.tdworld.com/rss" },
		{
			name: "federalregister.gov",
			url: "https://www.federalregister.gov/api/v1/documents.json?conditions[agencies][]=federal-energy-regulatory-commission",
		},
	],
};

export interface Policy {
	/** Hosts whose policies have the same name share one token bucket. */
	name: string;
	/** Sustained requests per second, summed over all replicas. */
	perSecond: number;
	burst: number;
	/** Pause (ms) after a refusal. */
	coolDownMs: number;
	/** Text that marks a 403 as rate limiting. If it is set, a 403 without this text means that the file is missing. */
	refusal?: RegExp;
}

/** SEC allows a user 10 requests a second, from all machines together; beyond that it blocks the client's address for about ten minutes. */
const sec: Policy = {
	name: "sec.gov",
	perSecond: 8,
	burst: 8,
	coolDownMs: 600_000,
	refusal: /threshold|automated tool|blocked/i,
};
const gdelt: readonly Policy[] = [
	// "Please limit requests to one every 5 seconds."
	{ name: "api.gdeltproject.org", perSecond: 1 / 6, burst: 1, coolDownMs: 900_000 },
	{ name: "data.gdeltproject.org", perSecond: 2, burst: 2, coolDownMs: 300_000 },
	{ name: "storage.googleapis.com", perSecond: 2, burst: 2, coolDownMs: 300_000 },
];

/** A host without a published limit is requested once every two seconds. */
export function policyOf(host: string): Policy {
	if (host === "sec.gov" || host.endsWith(".sec.gov")) return sec;
	return gdelt.find(({ name }) => name === host) ?? { name: host, perSecond: 0.5, burst: 1, coolDownMs: 600_000 };
}
