/** Splits programs into tokens, which pages show in color. Pure. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";

const languages = { sh: bash, js: javascript, json, py: python, sql };

for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

export interface Token {
	/** `string`, `keyword` and others of highlight.js; undefined for plain text. */
	scope: string | undefined;
	text: string;
}

/** Returns the tokens of a text, which together are the whole text. A text in an unregistered language is one token. */
export function tokensOf(text: string, language: string): Token[] {
	if (!(language in languages)) return [{ scope: undefined, text }];
	const tokens: Token[] = [];
	const scopes: string[] = [];
	for (const part of hljs.highlight(text, { language }).value.split(/(<span class="[^"]*">|<\/span>)/)) {
		const [, scope] = /^<span class="hljs-(\w+)/.exec(part) ?? [];
		if (scope !== undefined) scopes.push(scope);
		else if (part === "</span>") scopes.pop();
		else if (part !== "")
			tokens.push({ scope: scopes.at(-1), text: part.replace(/&[^;]+;/g, (name) => entities[name] ?? name) });
	}
	return tokens;
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };
