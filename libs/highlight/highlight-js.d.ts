/** The part of highlight.js that is used, for `highlight.js/lib/*`. The package's own types would add a browser's globals to every file. */
declare const hljs: {
	registerLanguage(name: string, language: unknown): void;
	highlight(text: string, options: { language: string }): { value: string };
};
export default hljs;
