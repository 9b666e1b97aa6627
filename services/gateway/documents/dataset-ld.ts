/** The data as a schema.org `Dataset` (JSON-LD), for search engines and for releases. */
import { about } from "#libs/contract/documents/about.ts";
import { exportMediaTypes } from "#libs/contract/exports/files.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";

/** Title of the data in catalogs and citations. */
export const datasetName = "US interconnection requests";

export const datasetKeywords = [
	"interconnection queue",
	"electric power",
	"power plants",
	"energy storage",
	"renewable energy",
	"United States",
];

/** Replaces a license, because no single license covers the data. */
export const dataTerms =
	"Each publisher's data is under its own terms. The publishers' facts may be republished with attribution; their files may not.";

/** Operations that return all rows of a list as one file. */
export const exportOperations = (): HttpOperation[] =>
	httpOperations().filter(({ name, operation }) => name.startsWith("export") && operation.streamed === true);

export interface Distribution {
	name: string;
	contentUrl: string;
	encodingFormat: string;
	/** Bytes. */
	contentSize?: string;
	sha256?: string;
}

/** `site` is empty if the service has no public address: a page then has relative addresses, which browsers resolve against it. */
export const datasetLd = (site: string, distributions: readonly Distribution[], extra: object = {}): object => ({
	"@context": "https://schema.org/",
	"@type": "Dataset",
	name: datasetName,
	description: about.description,
	url: `${site}/`,
	keywords: datasetKeywords,
	spatialCoverage: { "@type": "Place", name: "United States" },
	license: { "@type": "CreativeWork", name: "Terms of each publisher", text: dataTerms, url: `${site}/catalog/data` },
	creator: { "@type": "Organization", name: about.name, url: `${site}/` },
	includedInDataCatalog: { "@type": "DataCatalog", name: about.name, url: `${site}/catalog/data` },
	distribution: distributions.map((each) => ({ "@type": "DataDownload", ...each })),
	...extra,
});

/** The current data, whose distributions are the exports. */
export const currentDatasetLd = (site: string): object =>
	datasetLd(
		site,
		exportOperations().flatMap(({ http }) =>
			(["csv", "parquet"] as const).map((format) => ({
				name: http.path.replace("/export/", ""),
				contentUrl: `${site}${http.path}.${format}`,
				encodingFormat: exportMediaTypes[format].replace(/;.*/, ""),
			})),
		),
	);
