/** The page about events. The gateway writes its text; this script inserts the service's address into commands and adds copy buttons. */
import "../../style/base.css";
import "../../style/code.css";
import "../../style/stacked.css";
import "./events.css";
import { render } from "preact";
import { CopyButton } from "../../lib/text/code.tsx";

for (const code of document.querySelectorAll("#page pre")) {
	const text = code.textContent.replaceAll("$BASE", location.origin);
	if (code.firstElementChild !== null) code.firstElementChild.textContent = text;
	const wrapper = document.createElement("div");
	wrapper.className = "code";
	code.replaceWith(wrapper);
	const buttonPlace = document.createElement("div");
	wrapper.append(code, buttonPlace);
	render(<CopyButton text={text} what="the text" class="small" />, buttonPlace);
}

/** Opens the section named by the address's fragment, if it is closed. */
function open(): void {
	const named = document.getElementById(location.hash.slice(1));
	if (!(named instanceof HTMLDetailsElement)) return;
	named.open = true;
	named.scrollIntoView();
}
addEventListener("hashchange", open);
open();
