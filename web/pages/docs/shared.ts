/** What the endpoints of the page share. */
import type { Language } from "#libs/documents/programs.ts";

export interface Shared {
	reads: ReadonlySet<string>;
	/** The visitor's; empty: none. */
	key: string;
	language: Language;
	setLanguage(language: Language): void;
	/** The endpoint that the address names. */
	named: string;
}
