/** Types of the functions of `highlight.js/lib/*` that are used. The package's own types would add a browser's globals to every file. */
declare const hljs: {
	registerLanguage(name: string, language: unknown): void;
	highlight(text: string, options: { language: string }): { value: string };
};
export default hljs;
