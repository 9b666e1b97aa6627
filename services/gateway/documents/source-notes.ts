/** Descriptions of all sources except operators' lists, which queue-ingest describes. */
import type { SourceNote } from "#libs/contract/envelopes.ts";

const usPublicDomain = "Public domain (a work of the US government)";

const eia = "US Energy Information Administration";
const gem = "Global Energy Monitor";
const lbl = "Lawrence Berkeley National Laboratory";

function eiaSource(title: string, url: string, cadence = "yearly"): SourceNote {
	return { title, publisher: eia, url, licence: usPublicDomain, attribution: `Source: ${eia}`, cadence };
}

const filings = "https://www.sec.gov/search-filings";

function secSource(title: string, url: string, cadence: string): SourceNote {
	const publisher = "US Securities and Exchange Commission (EDGAR)";
	return {
		...{ title, publisher, url, cadence },
		licence: "Public domain: public filings, free to use",
		attribution: "Source: SEC EDGAR",
	};
}

function thirdParty(title: string, publisher: string, url: string | null): SourceNote {
	return {
		title,
		publisher,
		url,
		licence: "No license is stated with the list: facts are shown, ask its publisher before republishing",
		attribution: `Source: ${publisher}`,
		cadence: "as it changes",
	};
}

const publicFacts = "Published for the public; facts are republished with attribution";

export const sourceNotes: Record<string, SourceNote> = {
	lbnl: {
		title: "Queued Up",
		publisher: lbl,
		url: "https://emp.lbl.gov/queues",
		licence: "CC BY 4.0",
		attribution: `${lbl}, Queued Up`,
		cadence: "yearly",
	},
	eia860: {
		title: "Form EIA-860, utilities, plants, generators and owners",
		publisher: eia,
		url: "https://www.eia.gov/electricity/data/eia860/",
		licence: usPublicDomain,
		attribution: `Source: ${eia}, Form EIA-860`,
		cadence: "yearly, with an early release",
	},
	news: {
		title: "News about developers",
		publisher: "The publications that each row names in domain",
		url: null,
		licence: "Headlines and addresses only; the articles are their publishers'",
		attribution: "The publication in domain",
		cadence: "daily",
	},
	"8-k": secSource("Current reports, form 8-K", filings, "daily"),
	"form-d": secSource(
		"Exempt offerings of securities, Form D",
		"https://www.sec.gov/data-research/sec-markets-data/form-d-data-sets",
		"daily, with a quarterly backfill",
	),
	"energy-communities": {
		title: "Energy communities of the tax credits, by county and tract",
		publisher: "US Treasury and IRS notices; US Department of Energy",
		url: "https://energycommunities.gov",
		licence: usPublicDomain,
		attribution: "Source: IRS notices; US Department of Energy",
		cadence: "yearly",
	},
	"low-income": {
		title: "Low-income communities (New Markets Tax Credit tracts)",
		publisher: "US Treasury, CDFI Fund",
		url: "https://www.cdfifund.gov",
		licence: usPublicDomain,
		attribution: "Source: CDFI Fund",
		cadence: "every five years",
	},
	"ic-costs": {
		title: "Generator interconnection costs",
		publisher: lbl,
		url: "https://emp.lbl.gov/interconnection_costs",
		licence: "CC BY 4.0",
		attribution: `${lbl}, interconnection cost studies`,
		cadence: "yearly",
	},
	"eia-epm-planned": eiaSource(
		"Electric Power Monthly, table 6.5 (planned units)",
		"https://www.eia.gov/electricity/monthly/",
		"monthly",
	),
	"eia-epm-new": eiaSource(
		"Electric Power Monthly, table 6.3 (new units)",
		"https://www.eia.gov/electricity/monthly/",
		"monthly",
	),
	"eia860m-planned": eiaSource(
		"Form EIA-860M, planned units",
		"https://www.eia.gov/electricity/data/eia860m/",
		"monthly",
	),
	"eia860m-cancelled": eiaSource(
		"Form EIA-860M, units cancelled or postponed",
		"https://www.eia.gov/electricity/data/eia860m/",
		"monthly",
	),
	"eia861-net-metering": eiaSource("Form EIA-861, net metering", "https://www.eia.gov/electricity/data/eia861/"),
	"eia861-distributed": eiaSource(
		"Form EIA-861, distributed generation that is not net metered",
		"https://www.eia.gov/electricity/data/eia861/",
	),
	"puco-ohio-der": {
		title: "Distributed generation by area of Ohio",
		publisher: "Public Utilities Commission of Ohio, by way of the Mid-Ohio Regional Planning Commission",
		url: "https://maps.puco.ohio.gov",
		licence: publicFacts,
		attribution: "Source: Public Utilities Commission of Ohio",
		cadence: "yearly",
	},
	"nyserda-der": {
		title: "Distributed energy resources that NYSERDA supports",
		publisher: "New York State Energy Research and Development Authority",
		url: "https://der.nyserda.ny.gov",
		licence: publicFacts,
		attribution: "Source: NYSERDA DER Integrated Data System",
		cadence: "as it changes",
	},
	"developer-register": {
		title: "Register of developers: names, tiers and parents",
		publisher: "The operator of this service",
		url: null,
		licence: "Compiled for this service from public filings and announcements; facts are free to use",
		attribution: "Source: this service's register of developers",
		cadence: "with each release",
	},
	gem: {
		title: "Power plant trackers, owners and parents of units",
		publisher: gem,
		url: "https://globalenergymonitor.org",
		licence: "CC BY 4.0",
		attribution: `${gem}, plant trackers, CC BY 4.0`,
		cadence: "twice a year",
	},
	eia_861: eiaSource(
		"Form EIA-861, names and service territories of utilities",
		"https://www.eia.gov/electricity/data/eia861/",
	),
	sec_company_tickers: secSource("Numbers and names of listed companies, company_tickers.json", filings, "daily"),
	sec_exhibit_21: secSource("Subsidiaries in annual reports, Exhibit 21 of form 10-K", filings, "yearly"),
	"datacenter-map": thirdParty(
		"Data centers by state, with addresses",
		"datacentermap.com",
		"https://www.datacentermap.com",
	),
	"datacenter-energy": thirdParty(
		"Data centers by brand and county, with estimated use",
		"Compiled by a public repository",
		null,
	),
	"datacenter-guide": {
		...thirdParty(
			"Large data centers with capacity and status",
			"w4ester/datacenters",
			"https://github.com/w4ester/datacenters",
		),
		licence: "MIT",
	},
	"datacenter-proposals": thirdParty("Proposed data centers", "trackdatacenters.com", "https://trackdatacenters.com"),
};

/** The note for a source without a description. */
export const undescribed = (source: string): SourceNote => ({
	title: source,
	publisher: source,
	url: null,
	licence: "Not described: ask the operator of this service before republishing",
	attribution: source,
	cadence: "not described",
});
