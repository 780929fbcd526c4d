// A switch saves itself; without script its form has a button.
document.addEventListener("change", (event) => {
  event.target.closest("form[data-submit-on-change]")?.requestSubmit();
});

// A browser sends a file's name alone; its path in a folder tells two of the same name apart.
document.addEventListener("formdata", (event) => {
  if (!event.target.matches("form[data-upload]")) return;
  const files = event.formData.getAll("files").filter((file) => file.name); // an empty field sends a nameless one
  event.formData.delete("files");
  for (const file of files) {
    event.formData.append("files", file);
    event.formData.append("paths", file.webkitRelativePath || file.name);
  }
});

// A file that was copied is pasted into the upload as if it had been dropped there.
document.addEventListener("paste", (event) => {
  const upload = document.querySelector("input.drop");
  if (upload && event.clipboardData.files.length) upload.files = event.clipboardData.files;
});
