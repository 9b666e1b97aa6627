/** `npm run release-data`: writes the data of a running service as a dated release, to be published or archived under a DOI. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { about } from "#libs/contract/documents/about.ts";
import { hashOf } from "#libs/parquet/encode.ts";
import { runProgram, UserError } from "../../deploy/local/program.ts";
import { failureOf } from "../../libs/client/src/cli/failures.ts";
import { createClient } from "../../libs/client/src/index.ts";
import { writeChangelog } from "./changelog.ts";
import { citation, datasetDocument, type Release, readme } from "./documents.ts";
import { downloadFiles, readSources } from "./files.ts";

const usage = `Usage: npm run release-data -- --out DIR [--since DIR] [--url URL] [--author NAME] [--doi DOI] [--sample]

Writes a release of the data into a new folder: a Parquet file of each export, a changelog, checksums and metadata.

  --since DIR    an earlier release: the changelog lists what was added, changed, withdrawn and removed since
  --url URL      address of the service (EIDS_URL, else http://127.0.0.1:8080); EIDS_API_KEY is the key
  --author NAME  who publishes the release (${about.name})
  --doi DOI      the DOI that is reserved for it
  --sample       permits a release of the bundled sample, which is invented`;

export interface ReleaseOptions {
	out: string;
	since?: string | undefined;
	url: string;
	key?: string | undefined;
	author?: string | undefined;
	doi?: string | undefined;
	sample?: boolean | undefined;
}

/** Writes the whole folder or nothing. The same data and options make the same bytes. */
export async function releaseData(options: ReleaseOptions): Promise<Release> {
	const { out, since, url, key, author = about.name, doi, sample = false } = options;
	if (existsSync(out)) throw new UserError(`${out} exists: a release is written into a new folder.`);
	const earlier = since === undefined ? undefined : await readEarlier(since);
	const client = createClient({ baseUrl: url, key });
	const draft = `${out}.part`;
	await rm(draft, { recursive: true, force: true });
	await mkdir(draft, { recursive: true });
	try {
		const files = await downloadFiles(client, draft);
		const sources = await readSources(client, join(draft, "projects.parquet"));
		if (sources.isSample && !sample)
			throw new UserError("The service has the bundled sample, which is invented. --sample releases it nevertheless.");
		const version =
			files
				.map(({ manifest }) => manifest.generated_at.slice(0, 10))
				.sort()
				.at(-1) ?? "";
		const release: Release = {
			version,
			author,
			doi,
			url: url.replace(/\/+$/, ""),
			files,
			...sources,
			since: earlier?.version,
		};
		if (earlier !== undefined)
			await writeChangelog(draft, earlier.folder, { earlier: earlier.version, current: version });
		await writeFile(join(draft, "README.md"), readme(release));
		await writeFile(join(draft, "CITATION.cff"), citation(release));
		await writeFile(join(draft, "dataset.jsonld"), datasetDocument(release));
		await writeFile(join(draft, "SHA256SUMS"), await sumsOf(draft));
		await rename(draft, out);
		return release;
	} catch (error) {
		await rm(draft, { recursive: true, force: true });
		throw error instanceof UserError ? error : new UserError(failureOf(error, url).text);
	}
}

/** @throws UserError if it is not a release, or a file differs from its checksum */
async function readEarlier(folder: string): Promise<{ folder: string; version: string }> {
	try {
		if ((await sumsOf(folder)) !== readFileSync(join(folder, "SHA256SUMS"), "utf8"))
			throw new UserError(`${folder} differs from its SHA256SUMS.`);
		const { version } = JSON.parse(readFileSync(join(folder, "dataset.jsonld"), "utf8")) as { version: string };
		return { folder, version };
	} catch (error) {
		if (error instanceof UserError) throw error;
		throw new UserError(`${folder} is not a release: ${error instanceof Error ? error.message : error}`);
	}
}

/** As `sha256sum` writes and checks it. */
async function sumsOf(folder: string): Promise<string> {
	const names = (await readdir(folder)).filter((name) => name !== "SHA256SUMS").sort();
	const lines = await Promise.all(names.map(async (name) => `${await hashOf(join(folder, name))}  ${name}\n`));
	return lines.join("");
}

async function main(): Promise<void> {
	const { values } = readOptions();
	const { INIT_CWD: cwd = process.cwd(), EIDS_URL, EIDS_API_KEY } = process.env;
	if (values.out === undefined) throw new UserError(usage);
	const out = resolve(cwd, values.out);
	const { files, version } = await releaseData({
		...values,
		out,
		since: values.since === undefined ? undefined : resolve(cwd, values.since),
		url: values.url ?? (EIDS_URL || "http://127.0.0.1:8080"),
		key: EIDS_API_KEY || undefined,
	});
	for (const { name, manifest } of files) console.log(`${name}: ${manifest.rows.toLocaleString("en")} rows`);
	console.log(`${out}: the data of ${version}. Check it with: (cd ${values.out} && sha256sum -c SHA256SUMS)`);
}

function readOptions() {
	const text = { type: "string" } as const;
	try {
		return parseArgs({
			options: { out: text, since: text, url: text, author: text, doi: text, sample: { type: "boolean" } },
		});
	} catch {
		throw new UserError(usage);
	}
}

if (import.meta.main) await runProgram(main);
