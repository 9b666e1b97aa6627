/** The news feeds that are asked (domain sheet 3.3). */

export interface Feed {
	/** Stands as `source` with each article. */
	name: string;
	url: string;
	kind: "rss" | "federal-register";
}

/** Minutes between two requests to one feed: the sheet allows one an hour. */
export const feedIntervalMinutes = 60;

export const feeds: readonly Feed[] = [
	{ name: "utilitydive.com", url: "https://www.utilitydive.com/feeds/news/", kind: "rss" },
	{ name: "pv-magazine-usa.com", url: "https://pv-magazine-usa.com/feed/", kind: "rss" },
	{ name: "energy-storage.news", url: "https://www.energy-storage.news/feed/", kind: "rss" },
	{ name: "powermag.com", url: "https://www.powermag.com/feed/", kind: "rss" },
	{ name: "canarymedia.com", url: "https://www.canarymedia.com/rss", kind: "rss" },
	{ name: "renewableenergyworld.com", url: "https://www.renewableenergyworld.com/feed/", kind: "rss" },
	{ name: "renewablesnow.com", url: "https://renewablesnow.com/rss/", kind: "rss" },
	{ name: "datacenterdynamics.com", url: "https://www.datacenterdynamics.com/en/rss/", kind: "rss" },
	{ name: "eia.gov", url: "https://www.eia.gov/rss/todayinenergy.xml", kind: "rss" },
	{ name: "tdworld.com", url: "https://www.tdworld.com/rss", kind: "rss" },
	{
		name: "federalregister.gov",
		url: "https://www.federalregister.gov/api/v1/documents.json?conditions[agencies][]=federal-energy-regulatory-commission",
		kind: "federal-register",
	},
];
