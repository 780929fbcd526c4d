"""What import-linter's contracts can't say; the layers themselves stand in pyproject.toml."""

import grimp


def test_no_api_module_imports_a_view_module() -> None:
    graph = grimp.build_graph("kgadmin", "characters", "playground", cache_dir=None)
    wrong = [
        f"{module} imports {imported}"
        for module in sorted(graph.modules)
        if module.endswith("api") and module != "kgadmin.api"
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.endswith("views")
    ]
    assert wrong == []
