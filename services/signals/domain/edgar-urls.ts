/** Where EDGAR keeps a filing. Pure. */

/**
 * The primary document of a filing where its file name is known, else the filing's index page. `cik` without leading zeros;
 * a document name that is no plain file name is not trusted to make an address of.
 */
export function archiveUrl(cik: string, accessionNumber: string, document: string | null): string {
	const folder = `https://www.sec.gov/Archives/edgar/data/${cik}/${accessionNumber.replaceAll("-", "")}`;
	const plain = document !== null && /^[\w-][\w.-]{0,120}$/.test(document);
	return `${folder}/${plain ? document : `${accessionNumber}-index.htm`}`;
}

/** Is this the address of a filing's index page, for want of its document? */
export function isIndexPage(url: string): boolean {
	return url.endsWith("-index.htm");
}
