/** The documents of a release: a README, a citation file and a schema.org description. */
import { stringify } from "yaml";
import { about } from "#libs/contract/documents/about.ts";
import { exportMediaTypes } from "#libs/contract/exports/files.ts";
import { datasetKeywords, datasetLd, datasetName, dataTerms } from "../../services/gateway/documents/dataset-ld.ts";
import type { ReleaseFile, Sources } from "./files.ts";

export interface Release extends Sources {
	/** Day on which the data last changed. */
	version: string;
	author: string;
	doi: string | undefined;
	/** Address of the service. */
	url: string;
	files: ReleaseFile[];
	/** Version of the release that the changelog begins with. */
	since: string | undefined;
}

/** A table of Markdown. Filed text can break neither a row nor the page. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
	const line = (cells: readonly unknown[]) => `| ${cells.map(cellOf).join(" | ")} |`;
	return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const cellOf = (value: unknown): string =>
	String(value ?? "")
		.replaceAll(/[\p{Cc}\s]+/gu, " ")
		.replaceAll(/[\\|`*_[\]<>&]/g, (character) => `\\${character}`);

const sampleNotice = "**The data is the bundled sample: invented requests, for tests of this service only.**";

export function readme({ version, url, files, sources, since, isSample }: Release): string {
	const shown = files.map(({ name, address, manifest: { rows, bytes, schema_version } }) => [
		...[name, `${url}${address}`, rows, bytes, schema_version],
	]);
	const terms = sources.map(({ source, title, publisher, licence, attribution }) => [
		...[source, title, publisher, licence, attribution],
	]);
	const columns = files.flatMap(({ name, manifest }) => [
		`### ${name}`,
		table(
			["Column", "Type", "Unit", "Description"],
			manifest.columns.map(({ name, type, unit, description }) => [name, type, unit, description]),
		),
	]);
	return `${[
		`# ${datasetName}, ${version}`,
		...(isSample ? [sampleNotice] : []),
		about.description,
		`The data of ${url} as it was after its last change on ${version} (UTC). \`sha256sum -c SHA256SUMS\` checks the files.`,
		"## Files",
		table(["File", "Address of the current file", "Rows", "Bytes", "Version of the columns"], shown),
		"`projects.parquet` has the requests of the seven grid operators, also those that their lists no longer show, and `changes.parquet` their changes. Utilities are left out, because some of their lists may not be republished without permission. Prices that a license withholds are left out.",
		since === undefined
			? "This release has no changelog, because it was made without an earlier one."
			: `\`CHANGELOG.md\` and \`changelog.csv\` list what changed since the release ${since}.`,
		"`CITATION.cff` and `dataset.jsonld` describe the release for reference managers and catalogues.",
		"## Terms",
		dataTerms,
		table(["Source", "Title", "Publisher", "Terms", "Attribution"], terms),
		"## Columns",
		...columns,
	].join("\n\n")}\n`;
}

/** Citation File Format 1.2.0. The sources are its references. */
export function citation({ version, author, doi, url, sources }: Release): string {
	const record = {
		"cff-version": "1.2.0",
		message: "If you use this data, please cite it, and credit the sources as README.md says.",
		type: "dataset",
		title: datasetName,
		abstract: about.description,
		version,
		"date-released": version,
		authors: [{ name: author }],
		...(doi !== undefined && { doi }),
		url: `${url}/`,
		keywords: datasetKeywords,
		references: sources.map(({ title, publisher, url }) => ({
			type: "data",
			title,
			authors: [{ name: publisher }],
			...(url !== null && { url }),
		})),
	};
	// Readers of YAML 1.1 take days without quotation marks for dates, and a version must be text.
	return stringify(record, { version: "1.1" });
}

export function datasetDocument({ version, author, doi, url, files, sources }: Release): string {
	const distributions = files.map(({ name, manifest: { bytes, sha256 } }) => ({
		name,
		contentUrl: name,
		encodingFormat: exportMediaTypes.parquet,
		contentSize: `${bytes} B`,
		sha256,
	}));
	const dataset = datasetLd(url, distributions, {
		version,
		dateModified: version,
		creator: { "@type": "Organization", name: author },
		...(doi !== undefined && { identifier: `https://doi.org/${doi}` }),
		isBasedOn: sources.map(({ title, publisher, url, licence }) => ({
			"@type": "Dataset",
			name: title,
			creator: { "@type": "Organization", name: publisher },
			license: licence,
			...(url !== null && { url }),
		})),
	});
	return `${JSON.stringify(dataset, null, "\t")}\n`;
}
