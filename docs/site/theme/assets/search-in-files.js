// SPDX-License-Identifier: GPL-3.0-or-later
// Search where the site is opened as files, without a server: browsers then refuse both the request for the index and the worker. The
// index is a script, and a hidden frame does the work of the worker.
if (location.protocol === "file:") {
	const own = document.currentScript.src;
	document.write(`<script src="${new URL("../search/search_index.js", own)}"></scr` + "ipt>");
	window.Worker = function (script) {
		const worker = new EventTarget(), frame = document.createElement("iframe");
		const ready = new Promise(done => {
			frame.hidden = true;
			frame.srcdoc = "<body></body>";
			frame.onload = () => {
				const inner = frame.contentWindow, element = inner.document.createElement("script");
				inner.postMessage = data => worker.dispatchEvent(new MessageEvent("message", { data }));
				element.src = new URL(script, location.href);
				element.onload = () => done(inner);
				inner.document.body.append(element);
			};
			document.body.append(frame);
		});
		worker.postMessage = data => ready.then(inner => inner.dispatchEvent(new MessageEvent("message", { data })));
		return worker;
	};
}
