/** Where the publishers are. Constants, passed as an argument so that a test can stand in for all of them. */
import { type Feed, feeds } from "../sources/news/feeds.ts";
import { gkgDirectories } from "../sources/news/gkg-files.ts";

export interface Hosts {
	/** SEC's own site: filings, indexes, the feed of the latest. */
	sec: string;
	/** Companies' lists. */
	data: string;
	/** Full-text search. */
	search: string;
	/** Folders of GDELT's bulk files, each with the same files; end in a slash. */
	gkg: readonly string[];
	gdelt: string;
	feeds: readonly Feed[];
}

export const hosts: Hosts = {
	sec: "https://www.sec.gov",
	data: "https://data.sec.gov",
	search: "https://efts.sec.gov",
	gkg: gkgDirectories,
	gdelt: "https://api.gdeltproject.org",
	feeds,
};
